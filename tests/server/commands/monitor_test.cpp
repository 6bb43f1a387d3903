#include "server/commands/monitor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/commands/table.hpp"
#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::string_view>;

struct MonitoredServer : FakeServer {
    MonitoredServer() { run("MONITOR"); }

    // The line shown of a request.
    std::string shown(const Words& words, std::string_view command) {
        monitors.show(client, words, commands::find_command(command));
        return std::exchange(sessions.pushed, {});
    }
};

TEST(Monitor, ShowsTimeClientAndWords) {
    MonitoredServer server;
    EXPECT_EQ(server.shown({"spawn", "health=1,2"}, "SPAWN"),
              "+1.500042 [0 127.0.0.1:50000] \"spawn\" \"health=1,2\"\r\n");
    server.client.json = true;
    EXPECT_EQ(server.shown({"PING"}, "PING"),
              "{\"event\":\"command\",\"line\":\"1.500042 [0 127.0.0.1:50000] \\\"PING\\\"\"}\n");
}

TEST(Monitor, EscapesWhatCouldLookLikeSomethingElse) {
    MonitoredServer server;
    const std::string line = server.shown({"ECHO", "a\"b\\c\r\n+OK\x1b[31m"}, "ECHO");
    EXPECT_THAT(line, HasSubstr(R"("a\"b\\c\x0d\x0a+OK\x1b[31m")"));
    EXPECT_EQ(line.find('\n'), line.size() - 1) << "one line";
}

TEST(Monitor, CutsLongRequests) {
    MonitoredServer server;
    const std::string large(1'000'000, 'x');
    EXPECT_LT(server.shown({"ECHO", large}, "ECHO").size(), 1200U);
    EXPECT_LT(server.shown(Words(10'000, "x"), "ECHO").size(), 2000U);
}

TEST(Monitor, ShowsNoPassword) {
    MonitoredServer server;
    for (const Words& words :
         {Words{"AUTH", "secret"}, Words{"auth", "default", "secret"}, Words{"JSON", "AUTH", "secret"}})
        EXPECT_THAT(server.shown(words, "AUTH"), Not(HasSubstr("secret")));
    EXPECT_THAT(server.shown({"HELLO", "3", "AUTH", "default", "secret"}, "HELLO"), Not(HasSubstr("secret")));
    EXPECT_THAT(server.shown({"AUHT", "secret"}, "AUHT"), Not(HasSubstr("secret"))) << "a typing mistake";
}

TEST(Monitor, SaysHowMuchWasLost) {
    MonitoredServer server;
    server.sessions.queue_bytes = 0;
    for (int i = 0; i < 3; ++i) EXPECT_EQ(server.shown({"PING"}, "PING"), "");
    server.sessions.queue_bytes = 1000;
    EXPECT_THAT(server.shown({"PING"}, "PING"), HasSubstr("\"PING\" (after 3 lost)\r\n"));
    EXPECT_THAT(server.shown({"PING"}, "PING"), Not(HasSubstr("lost")));
}

TEST(Monitor, EndsWithReset) {
    MonitoredServer server;
    EXPECT_TRUE(server.monitors.any());
    server.run("RESET");
    EXPECT_FALSE(server.monitors.any());
}

TEST(Monitor, IsForAFewAtATime) {
    FakeServer server;
    std::vector<protocol::Client> clients(commands::Monitors::kMaxMonitors + 1);
    for (std::size_t i = 0; i < clients.size(); ++i) clients[i].id = i + 1;
    for (std::size_t i = 0; i + 1 < clients.size(); ++i) EXPECT_TRUE(server.monitors.add(clients[i]));
    EXPECT_TRUE(server.monitors.add(clients[0])) << "it is one already";
    EXPECT_EQ(server.monitors.add(clients.back()).error().code, core::ErrorCode::limit);
}

}  // namespace
}  // namespace evertick::test
