#include "server/commands/slow_log.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

using namespace std::chrono_literals;
using commands::SlowLog;

constexpr std::chrono::system_clock::time_point kThen{1'700'000'000s};

void add(FakeServer& server, std::vector<std::string_view> words, std::chrono::microseconds spent = 20ms) {
    if (server.slow_log.is_slow(spent)) server.slow_log.add(words, server.client, spent, kThen);
}

TEST(SlowLog, AnswersAsRedisDoesTheNewestFirst) {
    FakeServer server;
    server.client.name = "probe";
    add(server, {"QUERY"}, 12345us);
    add(server, {"GET", "0:0"});
    EXPECT_EQ(server.run("SLOWLOG LEN"), ":2\r\n");
    EXPECT_EQ(server.run("JSON SLOWLOG GET"),
              "{\"ok\":true,\"tick\":0,\"result\":[[1,1700000000,20000,[\"GET\",\"0:0\"],\"127.0.0.1:50000\","
              "\"probe\"],[0,1700000000,12345,[\"QUERY\"],\"127.0.0.1:50000\",\"probe\"]]}\n");
    EXPECT_TRUE(server.run("SLOWLOG GET 1").starts_with("*1\r\n*6\r\n:1\r\n"));
    EXPECT_TRUE(server.run("SLOWLOG GET -1").starts_with("*2\r\n"));
    EXPECT_TRUE(server.run("SLOWLOG GET x").starts_with("-BADARG count: 'x' is not a whole number"));
    EXPECT_EQ(server.run("SLOWLOG RESET"), "+OK\r\n");
    EXPECT_EQ(server.run("SLOWLOG GET"), "*0\r\n");
}

TEST(SlowLog, KeepsWhatTakesTheThresholdAndNoMoreThanItsLength) {
    FakeServer server;
    server.slow_log.set_limits({.threshold = 5ms, .length = 3});
    add(server, {"FAST"}, 4999us);
    for (const char* name : {"A", "B", "C", "D"}) add(server, {name}, 5ms);
    ASSERT_EQ(server.slow_log.entries().size(), 3U);
    EXPECT_EQ(server.slow_log.entries().back().words.front(), "B");
    server.slow_log.set_limits({.threshold = 5ms, .length = 1});
    EXPECT_EQ(server.slow_log.entries().front().words.front(), "D");
    server.slow_log.set_limits({.threshold = 0ms, .length = 0});
    add(server, {"E"});
    EXPECT_TRUE(server.slow_log.entries().empty()) << "length 0 turns it off";
}

TEST(SlowLog, CutsLongRequests) {
    FakeServer server;
    const std::string word(200, 'x');
    add(server, std::vector<std::string_view>(40, word));
    const auto& words = server.slow_log.entries().front().words;
    ASSERT_EQ(words.size(), SlowLog::kMaxWords);
    EXPECT_EQ(words.front(), std::string(128, 'x') + "... (72 more bytes)");
    EXPECT_EQ(words.back(), "... (9 more arguments)");
}

}  // namespace
}  // namespace evertick::test
