#include <gtest/gtest.h>

#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

TEST(Info, AnswersLinesThatRedisClientsParse) {
    FakeServer server;
    server.run("SPAWN COUNT 3 health");
    const std::string info = server.run("INFO");
    EXPECT_NE(
        info.find("# Memory\r\nused_memory_rss:3000000\r\nlive_bytes:1000000\r\nreserved_bytes:2000000\r\n"),
        std::string::npos)
        << info;
    EXPECT_NE(info.find("\r\nloading:0\r\n"), std::string::npos) << "clients wait while it is 1";
    EXPECT_NE(info.find("\r\nentities:3\r\n"), std::string::npos);
    EXPECT_NE(info.find("\r\ncomponent_health:3\r\n"), std::string::npos);
}

TEST(Info, AnswersTheSectionsAskedFor) {
    FakeServer server;
    const std::string info = server.run("INFO tick clients");
    EXPECT_EQ(info.find("# Memory"), std::string::npos);
    EXPECT_NE(info.find("# Clients"), std::string::npos);
    EXPECT_NE(info.find("# Tick"), std::string::npos);
    EXPECT_EQ(server.run("INFO keyspace"), "$0\r\n\r\n") << "a section of Redis's that libraries ask for";
    EXPECT_EQ(server.run("INFO nope"),
              "-BADARG no section 'nope'; there are Server, Clients, Memory, Stats, Tick, World\r\n");
}

TEST(Status, FitsOneScreen) {
    FakeServer server;
    server.client.resp = 3;
    const std::string status = server.run("STATUS");
    EXPECT_TRUE(status.starts_with("=")) << "human text is verbatim in RESP3";
    EXPECT_LT(std::ranges::count(status, '\n'), 24);
}

TEST(ConfigGet, AnswersWhatRedisBenchmarkAsks) {
    FakeServer server;
    EXPECT_EQ(server.run("CONFIG GET save"), "*2\r\n$4\r\nsave\r\n$0\r\n\r\n");
    EXPECT_EQ(server.run("CONFIG GET appendonly"), "*2\r\n$10\r\nappendonly\r\n$2\r\nno\r\n");
}

TEST(ConfigGet, MatchesPatterns) {
    FakeServer server;
    EXPECT_EQ(server.run("CONFIG GET tick-*"), "*2\r\n$9\r\ntick-rate\r\n$2\r\n30\r\n");
    EXPECT_EQ(server.run("CONFIG GET nothing*"), "*0\r\n");
}

TEST(LogLevel, PassesTheErrorOfABadLevelOn) {
    FakeServer server;
    EXPECT_EQ(server.run("LOG LEVEL debug"), "+OK\r\n");
    EXPECT_EQ(server.run("LOG LEVEL loud"), "-BADARG log-level: unknown level\r\n");
}

TEST(Shutdown, EndsTheServer) {
    FakeServer server;
    EXPECT_EQ(server.run("SHUTDOWN NOSAVE"), "+OK\r\n");
    EXPECT_TRUE(server.process.ended);
    EXPECT_EQ(server.outcome.after, commands::After::close);
}

TEST(Shutdown, RefusesToSaveWhileThereIsNothingToSaveTo) {
    FakeServer server;
    EXPECT_TRUE(server.run("SHUTDOWN SAVE").starts_with("-ERR this server keeps nothing on disk"));
    EXPECT_TRUE(server.run("SHUTDOWN LATER").starts_with("-BADARG SHUTDOWN takes NOSAVE"));
    EXPECT_FALSE(server.process.ended);
}

}  // namespace
}  // namespace evertick::test
