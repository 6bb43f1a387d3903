#pragma once
// Calls back at a time of the steady clock, on the simulation thread; once, or over and over. A timerfd that
// stays watched, so that setting it is one system call and no allocation.
// Not thread-safe.

#include <functional>
#include <memory>

#include "server/net/event_loop.hpp"

namespace evertick::net {

class Timer {
  public:
    // Throws std::system_error when the kernel has no descriptor left.
    Timer(EventLoop& loop, std::function<void()> fired);
    ~Timer();
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    // Each replaces what was set before. Setting the same time again is nothing.
    void at(EventLoop::TimePoint time);
    // requires: period > 0 (verified)
    void every(EventLoop::Duration period);

  private:
    class Alarm;
    std::shared_ptr<Alarm> alarm_;
    EventLoop::TimePoint at_;
};

}  // namespace evertick::net
