#pragma once
// Who is shown every command: the clients that said MONITOR. One line for each request, when it has run:
//
//     1764512345.123456 [0 127.0.0.1:50312] "SPAWN" "position=1,2,3"
//
// Escaped and cut, so that it is one line whatever a client sends; the arguments of AUTH and HELLO, and of
// what was refused, are left out: they may be passwords. Who does not read in time misses lines, and is told
// how many by the next one.
// Not thread-safe.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "server/commands/command.hpp"
#include "server/protocol/client.hpp"

namespace evertick::commands {

class Monitors {
  public:
    static constexpr std::size_t kMaxMonitors = 16;
    static constexpr std::size_t kMaxShownBytes = 512;  // of the words, before escaping
    using Now = std::function<std::chrono::system_clock::time_point()>;

    Monitors(Sessions& sessions, Now now) : sessions_(sessions), now_(std::move(now)) {}

    core::Result<> add(protocol::Client& client);  // errors: LIMIT
    void remove(protocol::Client& client);

    bool any() const { return !lost_.empty(); }
    // Shows what `from` asked for; command: nullptr when it was refused.
    void show(const protocol::Client& from, std::span<const std::string_view> words, const Command* command);

  private:
    void send(std::uint64_t client_id, std::uint64_t& lost, std::string_view line);

    Sessions& sessions_;
    Now now_;
    std::map<std::uint64_t, std::uint64_t> lost_;  // by the monitor's client id
};

}  // namespace evertick::commands
