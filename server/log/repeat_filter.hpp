#pragma once
// Keeps a flood of one message out of the log: the first is written, equal ones within the interval are
// counted, and the count is written when the interval is over.
//
// Remembers at most kMaxTracked messages; when more are fresh at a time, the oldest is let go with its count.
// Pure: the time comes in as an argument. A clock that goes back ends every interval.
// Thread safety: none.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/log/level.hpp"

namespace evertick::server {

class RepeatFilter {
  public:
    using TimePoint = std::chrono::system_clock::time_point;
    using Duration = std::chrono::system_clock::duration;
    static constexpr std::size_t kMaxTracked = 64;

    struct HeldBack {
        Level level;
        std::string message;
        std::uint64_t count;  // not written, at least 1
    };

    explicit RepeatFilter(Duration interval) : interval_(interval) {}

    // Whether the message is to be written; else it is counted. What take_due() returns comes before it.
    // cost: O(kMaxTracked + length)
    bool admits(Level level, std::string_view message, TimePoint now);

    // What was held back and whose interval is over, oldest first.
    std::vector<HeldBack> take_due(TimePoint now);

    // All that was held back, oldest first.
    std::vector<HeldBack> take_all();

  private:
    struct Entry {
        Level level;
        std::string message;
        TimePoint written;
        std::uint64_t held_back = 0;
    };
    bool is_over(const Entry& entry, TimePoint now) const;
    void forget(std::size_t count);

    Duration interval_;
    std::vector<Entry> entries_;  // fresh ones, in the order they were written
    std::vector<HeldBack> due_;   // forgotten, but not yet taken
};

}  // namespace evertick::server
