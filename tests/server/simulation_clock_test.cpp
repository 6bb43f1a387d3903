#include "server/simulation_clock.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace evertick::server {
namespace {

using namespace std::chrono_literals;
using commands::ClockState;

// A clock at 100 Hz whose time stands still until the test moves it.
struct Bench {
    void tick(Duration spent = 1ms) {
        now = std::max(now, clock.next_due());
        clock.begin_tick();
        now += spent;
        clock.end_tick();
    }

    TimePoint now = TimePoint{} + 1h;
    std::vector<bool> reached;
    int rescheduled = 0;
    SimulationClock clock{{.rate_hz = 100},
                          [this] { return now; },
                          [this](const commands::Waiter&, bool complete) { reached.push_back(complete); },
                          [this] { ++rescheduled; }};
};

TEST(SimulationClock, RunsOnScheduleFromTheStart) {
    Bench bench;
    EXPECT_EQ(bench.clock.next_due(), bench.now + 10ms);
    EXPECT_EQ(bench.clock.status().state, ClockState::running);
    EXPECT_DOUBLE_EQ(bench.clock.dt().value, 0.01);
}

TEST(SimulationClock, KnowsHowLongTheLastTickTook) {
    Bench bench;
    bench.tick(3ms);
    bench.tick(2ms);
    EXPECT_EQ(bench.clock.last_tick(), 2ms);
}

TEST(SimulationClock, IsNeverDueWhilePaused) {
    Bench bench;
    bench.clock.pause();
    EXPECT_EQ(bench.clock.next_due(), TimePoint::max());
    bench.now += 5s;
    bench.clock.resume();
    EXPECT_EQ(bench.clock.next_due(), bench.now + 10ms) << "the pause is not caught up";
}

TEST(SimulationClock, RefusesToStepWhileRunning) {
    Bench bench;
    const auto started = bench.clock.step(3, {});
    ASSERT_FALSE(started);
    EXPECT_NE(started.error().message.find("PAUSE"), std::string::npos) << started.error().message;
}

TEST(SimulationClock, StepsTheNumberAskedForThenRestsAgain) {
    Bench bench;
    bench.clock.pause();
    ASSERT_TRUE(bench.clock.step(3, {}));
    for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(bench.clock.next_due(), TimePoint::min()) << "step " << i;
        ASSERT_TRUE(bench.reached.empty()) << "told before the last step";
        bench.tick();
    }
    EXPECT_EQ(bench.reached, std::vector{true});
    EXPECT_EQ(bench.clock.status().state, ClockState::paused);
}

TEST(SimulationClock, GoesBackToItsScheduleAfterASprint) {
    Bench bench;
    ASSERT_TRUE(bench.clock.sprint(2, {}));
    bench.tick();
    bench.tick();
    EXPECT_EQ(bench.clock.status().state, ClockState::running);
    EXPECT_EQ(bench.clock.next_due(), bench.now + 10ms);
}

TEST(SimulationClock, TellsWhenACommandMovedTheNextTick) {
    Bench bench;
    const auto moved = [&bench] { return std::exchange(bench.rescheduled, 0) > 0; };
    bench.clock.pause();
    moved();
    EXPECT_TRUE(bench.clock.step(1, {}) && moved()) << "a step is due at once";
    bench.tick();
    moved();
    EXPECT_TRUE(bench.clock.sprint(1, {}) && moved()) << "so is a sprint";
    bench.tick();
    moved();
    bench.clock.resume();
    EXPECT_TRUE(moved()) << "a paused clock runs again";
    bench.clock.set_rate(1000);
    EXPECT_TRUE(moved()) << "a faster one is due earlier";
}

TEST(SimulationClock, AnswersBusyToASecondRun) {
    Bench bench;
    ASSERT_TRUE(bench.clock.sprint(10, {}));
    const auto second = bench.clock.sprint(10, {});
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, core::ErrorCode::busy);
}

TEST(SimulationClock, TellsTheWaiterWhenAPauseCutsItShort) {
    Bench bench;
    ASSERT_TRUE(bench.clock.sprint(10, {}));
    bench.tick();
    bench.clock.pause();
    EXPECT_EQ(bench.reached, std::vector{false});
    EXPECT_EQ(bench.clock.next_due(), TimePoint::max());
}

TEST(SimulationClock, EndsARunWhoseClientHasGone) {
    Bench bench;
    ASSERT_TRUE(bench.clock.sprint(100, {.client_id = 7}));
    bench.clock.abandon(8);
    EXPECT_EQ(bench.clock.status().state, ClockState::sprinting) << "that was another client";
    bench.clock.abandon(7);
    EXPECT_EQ(bench.clock.status().state, ClockState::running);
    bench.clock.abandon(7);
    EXPECT_EQ(bench.clock.next_due(), bench.now + 10ms);
}

TEST(SimulationClock, CountsTicksLongerThanTheirPeriod) {
    Bench bench;
    bench.tick(9ms);
    bench.tick(11ms);
    EXPECT_EQ(bench.clock.status().overruns, 1U);
}

TEST(SimulationClock, ReportsTheTimeOfTheLatestTicks) {
    Bench bench;
    for (int i = 0; i < 99; ++i) bench.tick(1ms);
    bench.tick(5ms);
    const commands::ClockStatus status = bench.clock.status();
    EXPECT_NEAR(status.tick.p50, 0.001, 1e-9);
    EXPECT_NEAR(status.tick.max, 0.005, 1e-9);
    EXPECT_NEAR(status.tick.mean, 0.00104, 1e-9);
    EXPECT_EQ(status.window_ticks, 100U);
}

}  // namespace
}  // namespace evertick::server
