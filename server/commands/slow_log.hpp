#pragma once
// The commands that took longest to notice: SLOWLOG. Bounded in entries and in what an entry keeps.
//
// cost: of a command that is fast enough, one comparison
// Not thread-safe.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/protocol/client.hpp"

namespace evertick::commands {

struct SlowCommand {
    std::uint64_t id = 0;  // 0, 1, ...: also tells how many there ever were
    std::chrono::system_clock::time_point at;
    std::chrono::microseconds duration{0};
    std::vector<std::string> words;  // the first of them, cut, and what was left out in words of its own
    std::string address, name;       // of the client
};

class SlowLog {
  public:
    static constexpr std::size_t kMaxWords = 32;       // as Redis
    static constexpr std::size_t kMaxWordBytes = 128;  // as Redis

    struct Limits {
        std::chrono::microseconds threshold{10'000};
        std::size_t length = 128;  // 0: off
    };

    // Forgets the oldest that are too many.
    void set_limits(const Limits& limits);
    bool is_slow(std::chrono::steady_clock::duration spent) const {
        return spent >= limits_.threshold && limits_.length > 0;
    }
    void add(std::span<const std::string_view> words, const protocol::Client& client,
             std::chrono::steady_clock::duration spent, std::chrono::system_clock::time_point at);

    // The newest first.
    const std::deque<SlowCommand>& entries() const { return entries_; }
    void clear() { entries_.clear(); }

  private:
    Limits limits_;
    std::deque<SlowCommand> entries_;
    std::uint64_t next_id_ = 0;
};

}  // namespace evertick::commands
