#include "server/pacer.hpp"

#include <gtest/gtest.h>

namespace evertick::server {
namespace {

using namespace std::chrono_literals;

const TimePoint kStart{};

TEST(Pacer, StartsTickNAtStartPlusNPeriods) {
    Pacer pacer({.rate_hz = 40}, kStart);
    for (int n = 1; n <= 1000; ++n) {
        ASSERT_EQ(pacer.due() - kStart, n * 25ms) << "tick " << n;
        pacer.begin(pacer.due() + 3ms);  // lateness must not add up
    }
}

TEST(Pacer, DoesNotDriftWithAPeriodThatNanosecondsCannotHold) {
    Pacer pacer({.rate_hz = 30}, kStart);
    for (int n = 0; n < 30 * 3600; ++n) pacer.begin(pacer.due());
    EXPECT_EQ(pacer.due() - kStart, 3600s + Duration(33'333'333)) << "after an hour at 30 Hz";
}

TEST(Pacer, SaysHowLateATickStarts) {
    Pacer pacer({.rate_hz = 100}, kStart);
    EXPECT_EQ(pacer.begin(kStart + 10ms + 700us), 700us);
    EXPECT_EQ(pacer.begin(kStart + 20ms), 0us);
}

TEST(Pacer, CatchesUpTicksWithinItsLimitBackToBack) {
    Pacer pacer({.rate_hz = 100, .max_catch_up_ticks = 5}, kStart);
    const TimePoint now = kStart + 45ms;  // ticks 1 to 4 are due
    for (int tick = 1; tick <= 4; ++tick) {
        ASSERT_LE(pacer.due(), now) << "tick " << tick << " is owed";
        pacer.begin(now);
    }
    EXPECT_EQ(pacer.due(), kStart + 50ms) << "back on the grid";
    EXPECT_EQ(pacer.counters().caught_up, 3U);
    EXPECT_EQ(pacer.counters().skipped, 0U);
}

TEST(Pacer, SkipsWhatIsOwedBeyondTheLimitAndKeepsTheGrid) {
    Pacer pacer({.rate_hz = 100, .overrun = Overrun::skip, .max_catch_up_ticks = 2}, kStart);
    const TimePoint now = kStart + 104ms;  // tick 1 and nine more are due
    pacer.begin(now);
    EXPECT_EQ(pacer.counters().skipped, 7U);
    EXPECT_EQ(pacer.due(), kStart + 90ms) << "two are still caught up";
    pacer.begin(now);
    pacer.begin(now);
    EXPECT_EQ(pacer.due(), kStart + 110ms) << "then the grid as it was";
}

TEST(Pacer, MovesTheGridWhenToldToSlowDown) {
    Pacer pacer({.rate_hz = 100, .overrun = Overrun::slow, .max_catch_up_ticks = 2}, kStart);
    const TimePoint now = kStart + 104ms;
    pacer.begin(now);
    EXPECT_EQ(pacer.due(), now + 10ms) << "the schedule starts over from the late tick";
    EXPECT_EQ(pacer.counters().skipped, 9U);
}

TEST(Pacer, CatchesNothingUpAfterASuspend) {
    for (const Overrun overrun : {Overrun::skip, Overrun::slow}) {
        Pacer pacer({.rate_hz = 100, .overrun = overrun, .max_catch_up_ticks = 1000}, kStart);
        const TimePoint now = kStart + 1h + 4ms;
        pacer.begin(now);
        EXPECT_EQ(pacer.counters().suspends, 1U);
        EXPECT_GT(pacer.due(), now) << "an hour of ticks at once would help nobody";
    }
}

TEST(Pacer, RestartsFromNowWithAnotherRate) {
    Pacer pacer({.rate_hz = 100}, kStart);
    pacer.restart(kStart + 5s, 50);
    EXPECT_EQ(pacer.due(), kStart + 5s + 20ms);
    EXPECT_EQ(pacer.period(), 20ms);
}

TEST(PacerDeathTest, RefusesToStartATickEarly) {
    Pacer pacer({.rate_hz = 100}, kStart);
    EXPECT_DEATH(pacer.begin(kStart), "no earlier than it is due");
}

}  // namespace
}  // namespace evertick::server
