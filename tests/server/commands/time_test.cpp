#include <gtest/gtest.h>

#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

TEST(Tick, PausesAndResumes) {
    FakeServer server;
    EXPECT_EQ(server.run("TICK PAUSE"), "+OK\r\n");
    EXPECT_EQ(server.clock.state, commands::ClockState::paused);
    EXPECT_EQ(server.run("tick resume"), "+OK\r\n");
    EXPECT_EQ(server.clock.state, commands::ClockState::running);
}

TEST(Tick, SetsTheRateWithinItsLimits) {
    FakeServer server;
    EXPECT_EQ(server.run("TICK RATE 62.5"), "+OK\r\n");
    EXPECT_DOUBLE_EQ(server.clock.rate, 62.5);
    for (const char* bad : {"0", "0.5", "1001", "fast", "nan", "1e400", "-5"}) {
        EXPECT_TRUE(server.run(std::string("TICK RATE ") + bad).starts_with("-BADARG RATE")) << bad;
        EXPECT_DOUBLE_EQ(server.clock.rate, 62.5) << bad;
    }
}

TEST(Tick, LetsAStepAnswerLater) {
    FakeServer server;
    server.run("TICK PAUSE");
    EXPECT_EQ(server.run("@s JSON TICK STEP 5"), "") << "the reply comes after the last tick";
    EXPECT_EQ(server.outcome.after, commands::After::wait);
    EXPECT_EQ(server.clock.asked_ticks, 5U);

    std::string out;
    commands::write_tick_reached(server.clock.waiting, core::Tick{5}, 5, out);
    EXPECT_EQ(out, "{\"ok\":true,\"tick\":5,\"req\":\"s\",\"result\":5}\n");
}

TEST(Tick, StepsOnceUnlessTold) {
    FakeServer server;
    server.run("TICK PAUSE");
    server.run("TICK STEP");
    EXPECT_EQ(server.clock.asked_ticks, 1U);
}

TEST(Tick, RefusesCountsThatAreNone) {
    FakeServer server;
    for (const char* bad : {"0", "-1", "1.5", "x", "99999999999"})
        EXPECT_TRUE(server.run(std::string("TICK SPRINT ") + bad).starts_with("-BADARG SPRINT")) << bad;
}

TEST(Tick, RefusesToStepWhileRunning) {
    FakeServer server;
    EXPECT_TRUE(server.run("TICK STEP").starts_with("-ERR the clock is running"));
    EXPECT_EQ(server.outcome.after, commands::After::proceed);
}

}  // namespace
}  // namespace evertick::test
