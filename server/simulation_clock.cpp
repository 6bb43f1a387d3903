#include "server/simulation_clock.hpp"

#include <utility>

#include "core/verify.hpp"

namespace evertick::server {

using core::ErrorCode;
using core::failure;

SimulationClock::SimulationClock(const Pacing& pacing, Now now, Reached reached, Rescheduled rescheduled)
    : now_(std::move(now)),
      reached_(std::move(reached)),
      rescheduled_(std::move(rescheduled)),
      pacer_(pacing, now_()) {}

TimePoint SimulationClock::next_due() const {
    if (on_schedule()) return pacer_.due();
    return racing() ? TimePoint::min() : TimePoint::max();
}

void SimulationClock::begin_tick() {
    tick_began_ = now_();
    core::verify(tick_began_ >= next_due(), "a tick begins when it is due");
    if (on_schedule()) jitter_.add(pacer_.begin(tick_began_));
}

void SimulationClock::end_tick() {
    last_tick_ = now_() - tick_began_;
    ticks_.add(last_tick_);
    if (on_schedule() && last_tick_ > pacer_.period()) ++overruns_;
    if (racing() && --remaining_ == 0) finish_run(true);
}

commands::ClockStatus SimulationClock::status() const {
    const PacerCounters& counters = pacer_.counters();
    return {.state = state_,
            .rate_hz = pacer_.rate_hz(),
            .tick = ticks_.summary(),
            .jitter = jitter_.summary(),
            .window_ticks = ticks_.count(),
            .overruns = overruns_,
            .caught_up = counters.caught_up,
            .skipped = counters.skipped,
            .suspends = counters.suspends};
}

void SimulationClock::pause() {
    resting_ = State::paused;
    if (racing())
        finish_run(false);
    else
        enter(State::paused);
}

void SimulationClock::resume() {
    if (racing())
        resting_ = State::running;
    else if (state_ == State::paused)
        enter(State::running);
}

void SimulationClock::set_rate(double hz) {
    core::verify(hz >= commands::kMinRateHz && hz <= commands::kMaxRateHz, "the rate is within its limits");
    pacer_.restart(now_(), hz);
    rescheduled_();
}

core::Result<> SimulationClock::step(std::uint64_t count, commands::Waiter waiter) {
    if (on_schedule())
        return failure(ErrorCode::err, "the clock is running: TICK PAUSE first, or use TICK SPRINT");
    return start_run(State::stepping, count, std::move(waiter));
}

core::Result<> SimulationClock::sprint(std::uint64_t count, commands::Waiter waiter) {
    return start_run(State::sprinting, count, std::move(waiter));
}

void SimulationClock::abandon(std::uint64_t client_id) {
    if (racing() && waiter_->client_id == client_id) finish_run(false);
}

core::Result<> SimulationClock::start_run(State state, std::uint64_t count, commands::Waiter waiter) {
    if (racing())
        return failure(ErrorCode::busy, "a STEP or SPRINT is under way with " + std::to_string(remaining_) +
                                            " ticks to go; TICK PAUSE ends it");
    resting_ = state_;
    remaining_ = count;
    waiter_ = std::move(waiter);
    state_ = state;
    rescheduled_();
    return {};
}

void SimulationClock::finish_run(bool complete) {
    enter(resting_);
    remaining_ = 0;
    const commands::Waiter waiter = *std::exchange(waiter_, std::nullopt);
    reached_(waiter, complete);
}

void SimulationClock::enter(State state) {
    state_ = state;
    if (on_schedule()) pacer_.restart(now_());
    rescheduled_();
}

}  // namespace evertick::server
