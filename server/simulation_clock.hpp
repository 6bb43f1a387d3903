#pragma once
// When the next tick runs, and what TICK does about it: running on schedule, paused, stepping or sprinting.
// Owns the schedule and the statistics, not the world. The time comes from the function it is given, so tests
// pass their own.

#include <functional>
#include <optional>

#include "core/units.hpp"
#include "server/commands/context.hpp"
#include "server/pacer.hpp"
#include "server/recent_durations.hpp"

namespace evertick::server {

using Now = std::function<TimePoint()>;

class SimulationClock final : public commands::Clock {
  public:
    // Told when a STEP or SPRINT is done or was cut short; `complete` is false then.
    using Reached = std::function<void(const commands::Waiter&, bool complete)>;

    // Told when a command moved the next tick: whoever sleeps until next_due() must look again.
    using Rescheduled = std::function<void()>;

    SimulationClock(const Pacing& pacing, Now now, Reached reached, Rescheduled rescheduled);

    // When the next tick should start: in the past when it should start at once, TimePoint::max() while
    // paused.
    TimePoint next_due() const;

    // Around each tick. requires: next_due() has come (verified)
    void begin_tick();
    void end_tick();

    // How long the last tick took.
    Duration last_tick() const { return last_tick_; }

    // The step of simulated time, 1 / rate.
    core::Seconds dt() const { return {1.0 / pacer_.rate_hz()}; }

    commands::ClockStatus status() const override;
    void pause() override;
    void resume() override;
    void set_rate(double hz) override;
    core::Result<> step(std::uint64_t count, commands::Waiter waiter) override;
    core::Result<> sprint(std::uint64_t count, commands::Waiter waiter) override;
    void abandon(std::uint64_t client_id) override;

  private:
    using State = commands::ClockState;

    bool on_schedule() const { return state_ == State::running; }
    bool racing() const { return state_ == State::stepping || state_ == State::sprinting; }
    core::Result<> start_run(State state, std::uint64_t count, commands::Waiter waiter);
    void finish_run(bool complete);
    void enter(State state);

    Now now_;
    Reached reached_;
    Rescheduled rescheduled_;
    Pacer pacer_;
    State state_ = State::running;
    State resting_ = State::running;  // what a STEP or SPRINT returns to
    std::uint64_t remaining_ = 0;     // ticks of it
    std::optional<commands::Waiter> waiter_;
    TimePoint tick_began_;
    Duration last_tick_{0};
    std::uint64_t overruns_ = 0;
    RecentDurations ticks_;
    RecentDurations jitter_;
};

}  // namespace evertick::server
