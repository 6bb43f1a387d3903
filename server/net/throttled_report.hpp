#pragma once
// A report of one kind of event that strangers can cause at will: one line a minute, with how many were held
// back, so that no peer can fill a log.

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace evertick::net {

class ThrottledReport {
  public:
    using TimePoint = std::chrono::steady_clock::time_point;
    static constexpr std::chrono::minutes kInterval{1};

    void operator()(const std::function<void(std::string_view)>& report, std::string line, TimePoint now) {
        if (next_ && now < *next_) {
            ++held_back_;
            return;
        }
        next_ = now + kInterval;
        const std::uint64_t held_back = std::exchange(held_back_, 0);
        if (held_back > 0) line += " (and " + std::to_string(held_back) + " more like it before)";
        if (report) report(line);
    }

  private:
    std::optional<TimePoint> next_;
    std::uint64_t held_back_ = 0;
};

}  // namespace evertick::net
