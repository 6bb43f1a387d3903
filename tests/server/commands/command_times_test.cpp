#include "server/commands/command_times.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "server/commands/table.hpp"
#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

using commands::CommandTimes;
using std::chrono::nanoseconds;

std::size_t number_of(std::string_view name) {
    const auto all = commands::all_commands();
    return static_cast<std::size_t>(std::ranges::find(all, name, &commands::Command::name) - all.begin());
}

TEST(CommandTimes, AreAllZeroAtFirst) {
    const CommandTimes times;
    EXPECT_EQ(times.calls(0), 0U);
    EXPECT_EQ(times.summary(0).max, 0);
}

TEST(CommandTimes, FindPercentilesToAnEighth) {
    constexpr unsigned kSeed = 7;
    std::mt19937_64 random(kSeed);
    CommandTimes times;
    std::vector<std::uint64_t> all;
    for (int i = 0; i < 10'000; ++i) {
        all.push_back(random() >> (24 + random() % 36));  // of all sizes up to 18 minutes
        times.add(3, nanoseconds(all.back()));
    }
    std::ranges::sort(all);
    const auto expect_near = [&](double seconds, std::size_t rank, const char* what) {
        const auto exact = static_cast<double>(all[rank]) * 1e-9;
        EXPECT_GE(seconds, exact) << what << ", seed " << kSeed;
        EXPECT_LE(seconds, exact * 1.126) << what << ", seed " << kSeed;
    };
    expect_near(times.summary(3).p50, 4999, "p50");
    expect_near(times.summary(3).p99, 9899, "p99");
    EXPECT_DOUBLE_EQ(times.summary(3).max, static_cast<double>(all.back()) * 1e-9);
    EXPECT_EQ(times.calls(3), 10'000U);
}

TEST(CommandTimes, TakeTheLongestAndTheShortest) {
    CommandTimes times;
    times.add(0, nanoseconds::max());
    times.add(1, nanoseconds(-5));
    EXPECT_GT(times.summary(0).max, 9e9);
    EXPECT_EQ(times.summary(1).p99, 0);
}

TEST(Latency, ListsTheCommandsThatRan) {
    FakeServer server;
    for (int i = 0; i < 4; ++i) server.command_times.add(number_of("TICK INFO"), nanoseconds(2000));
    const std::string none = "{\"mean\":0,\"p50\":0,\"p99\":0,\"max\":0}";
    const std::string start =
        "{\"ok\":true,\"tick\":0,\"result\":{\"tick_ms\":" + none + ",\"tick_late_ms\":" + none;
    EXPECT_EQ(server.run("JSON LATENCY"), start +
                                              ",\"commands\":{\"tick|info\":{\"calls\":4,\"us\":{\"mean\":2,"
                                              "\"p50\":2,\"p99\":2,\"max\":2}}}}}\n");
    EXPECT_EQ(server.run("LATENCY RESET"), "+OK\r\n");
    EXPECT_EQ(server.run("JSON LATENCY"), start + ",\"commands\":{}}}\n");
}

TEST(Profile, ListsTheSystemsOfTheTick) {
    FakeServer server;
    EXPECT_EQ(
        server.run("JSON PROFILE"),
        "{\"ok\":true,\"tick\":0,\"result\":{\"window_ticks\":0,\"tick_us\":{\"mean\":0,\"p50\":0,\"p99\":0,"
        "\"max\":0},\"systems_us\":{\"movement\":{\"mean\":5,\"p50\":4,\"p99\":9,\"max\":10},\"ai\":{"
        "\"mean\":0,"
        "\"p50\":0,\"p99\":0,\"max\":0}}}}\n");
}

}  // namespace
}  // namespace evertick::test
