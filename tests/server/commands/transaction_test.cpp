#include <gtest/gtest.h>

#include <string>

#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

TEST(Multi, RunsNothingBeforeExec) {
    FakeServer server;
    EXPECT_EQ(server.run("MULTI"), "+OK\r\n");
    EXPECT_EQ(server.run("SPAWN position=1,2,3"), "+QUEUED\r\n");
    EXPECT_EQ(server.run("HGET 0:0 position.x"), "+QUEUED\r\n");
    EXPECT_EQ(server.world.registry.alive_count(), 0U);
    EXPECT_EQ(server.run("EXEC"), "*2\r\n$3\r\n0:0\r\n$1\r\n1\r\n");
    EXPECT_EQ(server.run("COUNT"), ":1\r\n") << "afterwards commands run at once again";
}

TEST(Multi, AnswersInTheEncodingOfExec) {
    FakeServer server;
    server.run("SPAWN position=1,2,3");
    const auto ask = [&](const std::string& exec) {
        for (const char* line : {"MULTI", "HGETALL 0:0", "GET 9:0", "PING"}) server.run(line);
        return server.run(exec);
    };
    EXPECT_EQ(
        ask("@t JSON EXEC"),
        "{\"ok\":true,\"tick\":0,\"req\":\"t\",\"result\":[{\"position.x\":1,\"position.y\":2,"
        "\"position.z\":3},{\"code\":\"NOENT\",\"error\":\"no entity 9:0: it never existed\"},\"PONG\"]}\n");
    server.client.resp = 3;
    EXPECT_EQ(ask("EXEC"),
              "*3\r\n%3\r\n$10\r\nposition.x\r\n,1\r\n$10\r\nposition.y\r\n,2\r\n$10\r\nposition.z\r\n,3\r\n"
              "-NOENT no entity 9:0: it never existed\r\n+PONG\r\n");
}

TEST(Multi, LeavesTheEffectsOfOthersWhenOneFails) {
    FakeServer server;
    for (const char* line : {"MULTI", "SPAWN", "SET 9:0 ai", "SPAWN"}) server.run(line);
    EXPECT_EQ(server.run("EXEC"),
              "*3\r\n$3\r\n0:0\r\n-NOENT no entity 9:0: it never existed\r\n$3\r\n1:0\r\n");
    EXPECT_EQ(server.run("DBSIZE"), ":2\r\n");
}

TEST(Multi, AbortsWhenOneWasRefused) {
    for (const char* bad :
         {"SPWAN", "GET", "TICK NOPE", "TICK STEP", "TICK SPRINT 5", "HELLO 3", "OUTPUT json", "AUTH x",
          "MONITOR", "SUBSCRIBE events:spawn", "EVENTS ON spawn"}) {
        FakeServer server;
        server.run("MULTI");
        server.run("SPAWN");
        EXPECT_TRUE(server.run(bad).starts_with("-ERR ")) << bad;
        EXPECT_EQ(server.run("SPAWN"), "+QUEUED\r\n") << bad;
        EXPECT_TRUE(server.run("EXEC").starts_with("-EXECABORT the transaction was discarded")) << bad;
        EXPECT_EQ(server.run("DBSIZE"), ":0\r\n") << bad;
    }
}

TEST(Multi, IsForgottenByDiscardAndReset) {
    FakeServer server;
    for (const char* end : {"DISCARD", "RESET"}) {
        server.run("MULTI");
        server.run("SPAWN");
        server.run(end);
        EXPECT_EQ(server.run("EXEC"), "-ERR EXEC without MULTI\r\n") << end;
    }
    EXPECT_EQ(server.run("DISCARD"), "-ERR DISCARD without MULTI\r\n");
    EXPECT_EQ(server.run("DBSIZE"), ":0\r\n");
}

TEST(Multi, DoesNotNest) {
    FakeServer server;
    server.run("MULTI");
    EXPECT_TRUE(server.run("MULTI").starts_with("-ERR MULTI calls can not be nested"));
    server.run("PING");
    EXPECT_EQ(server.run("EXEC"), "*1\r\n+PONG\r\n") << "as in Redis, that mistake is forgiven";
}

TEST(Multi, MayBeEmpty) {
    FakeServer server;
    server.run("MULTI");
    EXPECT_EQ(server.run("EXEC"), "*0\r\n");
    EXPECT_EQ(server.run("JSON EXEC"),
              "{\"ok\":false,\"tick\":0,\"code\":\"ERR\",\"error\":\"EXEC without MULTI\"}\n");
}

TEST(Multi, CollectsABoundedNumberOfCommands) {
    FakeServer server;
    server.run("MULTI");
    std::string pings;
    for (std::size_t i = 0; i < protocol::Transaction::kMaxRequests; ++i) pings += "PING\n";
    server.run(pings);
    EXPECT_EQ(server.run("PING"), "-LIMIT MULTI collects at most 16384 commands and 4194304 bytes\r\n");
    EXPECT_TRUE(server.run("EXEC").starts_with("-EXECABORT "));
}

TEST(Exec, StopsWhenItHasWorkedForTooLong) {
    FakeServer server;
    server.process.seconds_per_look = 0.1;
    for (const char* line : {"MULTI", "SPAWN", "SPAWN", "SPAWN"}) server.run(line);
    EXPECT_EQ(server.run("EXEC"),
              "*3\r\n$3\r\n0:0\r\n$3\r\n1:0\r\n-LIMIT not run: this EXEC has worked for 0.25 s already\r\n");
}

TEST(Exec, StopsWhenItHasAnsweredTooMuch) {
    FakeServer server;
    server.run("SPAWN COUNT 10000 QUIET position velocity health ai");
    server.run("MULTI");
    for (int i = 0; i < 100; ++i) server.run("QUERY LIMIT 10000 RETURN position,velocity,health,ai");
    const std::string reply = server.run("EXEC");
    EXPECT_TRUE(reply.ends_with("-LIMIT not run: this EXEC has answered 16 MiB already\r\n"));
    EXPECT_LT(reply.size(), std::size_t{20} << 20);
}

TEST(Exec, ClosesWhenOneOfItsCommandsDoes) {
    FakeServer server;
    for (const char* line : {"MULTI", "SHUTDOWN", "PING"}) server.run(line);
    EXPECT_EQ(server.run("EXEC"), "*2\r\n+OK\r\n+PONG\r\n");
    EXPECT_EQ(server.outcome.after, commands::After::close);
}

TEST(Watch, IsNotSupported) {
    FakeServer server;
    EXPECT_TRUE(server.run("WATCH 0:0").starts_with("-ERR not supported"));
    EXPECT_EQ(server.run("UNWATCH"), "+OK\r\n");
}

}  // namespace
}  // namespace evertick::test
