#include "server/commands/execute.hpp"

#include <gtest/gtest.h>

#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

TEST(Execute, AnswersInTheClientsEncoding) {
    FakeServer server;
    EXPECT_EQ(server.run("PING"), "+PONG\r\n");
    server.client.json = true;
    EXPECT_EQ(server.run("PING"), "{\"ok\":true,\"tick\":0,\"result\":\"PONG\"}\n");
}

TEST(Execute, TakesTheJsonPrefixForOneCommand) {
    FakeServer server;
    EXPECT_EQ(server.run("JSON COUNT"), "{\"ok\":true,\"tick\":0,\"result\":0}\n");
    EXPECT_EQ(server.run("COUNT"), ":0\r\n");
}

TEST(Execute, EchoesATagInJson) {
    FakeServer server;
    server.world.tick = 9;
    EXPECT_EQ(server.run("@a1 JSON COUNT"), "{\"ok\":true,\"tick\":9,\"req\":\"a1\",\"result\":0}\n");
    EXPECT_EQ(server.run("JSON @a1 COUNT"), "{\"ok\":true,\"tick\":9,\"req\":\"a1\",\"result\":0}\n");
    EXPECT_EQ(server.run("@a1 COUNT"), ":0\r\n") << "RESP has no place for it";
}

TEST(Execute, AnswersErrorsInJsonTooWithTheTag) {
    FakeServer server;
    EXPECT_EQ(server.run("@q JSON GET 9:0"),
              "{\"ok\":false,\"tick\":0,\"req\":\"q\",\"code\":\"NOENT\",\"error\":\"no entity 9:0: it never "
              "existed\"}\n");
}

TEST(Execute, AsksForACommandAfterABarePrefix) {
    FakeServer server;
    EXPECT_EQ(server.run("JSON @x").substr(0, 30), "{\"ok\":false,\"tick\":0,\"req\":\"x\"");
    EXPECT_TRUE(server.outcome.failed);
}

TEST(Execute, TakesBackWhatAFailingCommandWrote) {
    FakeServer server;
    server.settings.max_rows = 10;
    EXPECT_EQ(server.run("QUERY LIMIT 11").substr(0, 7), "-LIMIT ");
}

TEST(Execute, KeepsTheErrorOfAHostileNameOnOneLine) {
    FakeServer server;
    const std::string reply = server.run("\"a\\r\\nb\\x00\"");
    EXPECT_EQ(reply.find_first_of("\r\n"), reply.size() - 2) << reply;
}

TEST(Execute, NotesTheCommandOnTheClient) {
    FakeServer server;
    server.run("TICK INFO");
    EXPECT_EQ(server.client.last_command, "tick|info");
    EXPECT_EQ(server.client.commands, 1U);
}

TEST(Execute, LeavesNoScratchBehind) {
    FakeServer server;
    server.run("SPAWN COUNT 100 QUIET position=1,2,3");
    server.run("QUERY NEAR 0 0 0 10");
    const core::MemMark mark(server.scratch);  // aborts if a command left one open
    EXPECT_FALSE(server.outcome.failed);
}

}  // namespace
}  // namespace evertick::test
