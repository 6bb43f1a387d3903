#pragma once
// The one loop of the simulation thread: waits for sockets, signals and the next tick at once.
//
//     while (!stopping) { loop.serve_until(next_tick_time); run the tick; }
//
// It is not a scheduler of ticks: it only gives the thread back in time. Handlers run one at a time, the
// clock is read after each, and each is expected to give way at slice_end(); so a tick is late by no more
// than one command that runs long.
// Not thread-safe: everything happens on the thread that serves.

#include <chrono>
#include <memory>

namespace evertick::net {

class Timer;
class Wakeable;

class EventLoop {
  public:
    using Clock = std::chrono::steady_clock;
    using TimePoint = Clock::time_point;
    using Duration = Clock::duration;

    EventLoop();
    ~EventLoop();
    EventLoop(const EventLoop&) = delete;
    EventLoop& operator=(const EventLoop&) = delete;

    // Sleeps, and serves what comes, until the deadline or interrupt(). When the deadline has passed already
    // it serves what is ready for kLateBudget, so that a server behind its schedule still answers.
    // cost: one timerfd_settime when the deadline differs from the one before; no allocation
    void serve_until(TimePoint deadline);
    static constexpr Duration kLateBudget = std::chrono::microseconds(200);

    // Serves what is ready, at least one handler, for as long as the budget lasts; never sleeps.
    void serve_ready(Duration budget);

    // Ends the serve_... that is under way once its present handler returns; without one, the next at once.
    void interrupt() { interrupted_ = true; }

    // Until when a handler that starts now may work: a slice, cut short by the deadline.
    TimePoint slice_end(TimePoint now, Duration slice) const;

    // Gives who a turn, after those that wait for theirs. Thread-safe, as nothing else here.
    void post(std::shared_ptr<Wakeable> who);

    struct Impl;  // for the other sources of this folder that include asio
    Impl& impl() { return *impl_; }

  private:
    std::unique_ptr<Impl> impl_;
    std::unique_ptr<Timer> timer_;
    TimePoint deadline_;
    bool interrupted_ = false;
};

}  // namespace evertick::net
