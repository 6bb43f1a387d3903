#include <gtest/gtest.h>

#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

// Ten entities on the x axis, at 0 to 9, health 10 to 19; the odd ones are elite.
struct LineServer : FakeServer {
    LineServer() {
        for (int i = 0; i < 10; ++i)
            run("SPAWN position=" + std::to_string(i) + ",0,0 health=" + std::to_string(10 + i) + ",100" +
                (i % 2 == 1 ? " flags=elite" : ""));
        client.json = true;
    }
    // The result of a command, without the envelope.
    std::string result(const std::string& line) {
        const std::string reply = run(line);
        const std::string head = "{\"ok\":true,\"tick\":0,\"result\":";
        return reply.starts_with(head) ? reply.substr(head.size(), reply.size() - head.size() - 2) : reply;
    }
};

TEST(Query, AnswersACursorAndRows) {
    LineServer server;
    EXPECT_EQ(server.result("QUERY LIMIT 2"), R"(["2",["0:0","1:0"]])");
    EXPECT_EQ(server.result("QUERY WITH ai"), R"(["0",[]])");
}

TEST(Query, ReturnsNamedParts) {
    LineServer server;
    EXPECT_EQ(server.result("QUERY WHERE position.x>8 RETURN position.x,health"),
              R"(["0",[["9:0",{"position":{"x":9},"health":{"current":19,"max":100}}]]])");
}

TEST(Query, PagesThroughEverythingOnce) {
    LineServer server;
    EXPECT_EQ(server.result("QUERY LIMIT 4 CURSOR 0"), R"(["4",["0:0","1:0","2:0","3:0"]])");
    EXPECT_EQ(server.result("QUERY LIMIT 4 CURSOR 4"), R"(["8",["4:0","5:0","6:0","7:0"]])");
    EXPECT_EQ(server.result("QUERY LIMIT 4 CURSOR 8"), R"(["0",["8:0","9:0"]])");
}

TEST(Query, FindsWhatIsNearNearestFirst) {
    LineServer server;
    EXPECT_EQ(server.result("QUERY NEAR 5 0 0 1"), R"(["0",["5:0","4:0","6:0"]])");
    EXPECT_EQ(server.result("QUERY NEAR 5 0 0 1 LIMIT 1"), R"(["0",["5:0"]])");
    EXPECT_EQ(server.result("QUERY NEAREST 8.9 0 0 2"), R"(["0",["9:0","8:0"]])");
    EXPECT_EQ(server.result("QUERY BOX 2 1 1 0.5 -1 -1"), R"(["0",["1:0","2:0"]])");
}

// So many that the spatial index answers.
TEST(Query, SeesWhatCommandsDidSinceTheLastOne) {
    LineServer server;
    server.run("SPAWN COUNT 100 QUIET position=500,0,0");
    EXPECT_EQ(server.result("QUERY NEAREST 4 0 0 2"), R"(["0",["4:0","3:0"]])");
    server.run("SET 7:0 position.x=4.5");
    server.run("SET 3:0 position=400,0,0");
    EXPECT_EQ(server.result("QUERY NEAREST 4 0 0 2"), R"(["0",["4:0","7:0"]])");
    server.run("DESTROY 4:0");
    server.run("UNSET 5:0 position");
    EXPECT_EQ(server.result("QUERY NEAR 4 0 0 2"), R"(["0",["7:0","2:0","6:0"]])");
    server.run("SPAWN position=4,0,0");
    EXPECT_EQ(server.result("QUERY BOX 4 -1 -1 5 1 1"), R"(["0",["4:1","7:0"]])");
    EXPECT_EQ(server.result("DESTROY BOX 450 -1 -1 550 1 1 DRYRUN"), "100");
    EXPECT_EQ(server.result("COUNT NEAR 500 0 0 60"), "100");
    EXPECT_EQ(server.context.world.spatial_index.rebuilds(), 1U);
}

TEST(Query, SeesAPositionByWhicheverCommandItWasWritten) {
    struct Case {
        const char* command;
        const char* found;
    };
    LineServer server;
    server.run("SPAWN COUNT 100 QUIET position=500,0,0");
    EXPECT_EQ(server.result("COUNT NEAR -50 0 0 5"), "0") << "the index is made";
    for (const auto& [command, found] :
         {Case{"SPAWN position=-50,0,0", R"(["110:0"])"},
          Case{"SET 9:0 position=-51,0,0", R"(["110:0","9:0"])"},
          Case{"HSET 8:0 position.x -49.5", R"(["110:0","8:0","9:0"])"},
          Case{"HDEL 110:0 position", R"(["8:0","9:0"])"},
          Case{"SET 110:0 position.x=-50", R"(["110:0","8:0","9:0"])"},
          Case{"UNSET 9:0 position", R"(["110:0","8:0"])"}, Case{"DEL 8:0", R"(["110:0"])"},
          Case{"SPAWN COUNT 2 QUIET AREA -50 0 0 -50 0 0", R"(["8:1","110:0","111:0"])"}}) {
        server.run(command);
        EXPECT_EQ(server.result("QUERY NEAR -50 0 0 5"), "[\"0\"," + std::string(found) + "]") << command;
    }
    EXPECT_EQ(server.context.world.spatial_index.rebuilds(), 1U);
}

TEST(Query, SeesWhatItsOwnTransactionDid) {
    LineServer server;
    server.run("SPAWN COUNT 100 QUIET position=500,0,0");
    EXPECT_EQ(server.result("COUNT NEAR -50 0 0 5"), "0");
    for (const char* line : {"MULTI", "HSET 3:0 position.x -50", "COUNT NEAR -50 0 0 5", "DESTROY 3:0"})
        server.run(line);
    EXPECT_EQ(server.result("EXEC"), "[0,1,1]");
    EXPECT_EQ(server.result("COUNT NEAR -50 0 0 5"), "0");
}

TEST(Query, JoinsAllConditions) {
    LineServer server;
    EXPECT_EQ(server.result("QUERY FLAGS elite WHERE health.current>=13 position.x!=7 NEAR 4 0 0 3"),
              R"(["0",["3:0","5:0"]])");
    EXPECT_EQ(server.result("QUERY WHERE health.current>=13 AND position.x<5"), R"(["0",["3:0","4:0"]])");
    EXPECT_EQ(server.result("QUERY WITHOUT flags COUNT"), "5");
    EXPECT_EQ(server.result("QUERY WITH position,flags COUNT"), "5");
}

TEST(Query, NeverMatchesAnEntityThatLacksTheComponent) {
    LineServer server;
    server.run("SPAWN");
    EXPECT_EQ(server.result("COUNT WHERE health.current!=0"), "10");
    EXPECT_EQ(server.result("COUNT NEAR 0 0 0 1000"), "10");
}

TEST(Query, TakesKeywordsInAnyCaseAndOrder) {
    LineServer server;
    EXPECT_EQ(server.result("query limit 1 flags elite with position"), R"(["2",["1:0"]])");
}

TEST(Query, ComparesWithNumbersTheFieldCouldNotHold) {
    LineServer server;
    EXPECT_EQ(server.result("COUNT WHERE position.x<1e20 health.current>-5"), "10");
}

TEST(Query, SaysWhatIsWrong) {
    LineServer server;
    server.client.json = false;
    const auto refused = [&](const std::string& line, std::string_view start) {
        const std::string reply = server.run(line);
        EXPECT_TRUE(reply.starts_with(start)) << line << " answered " << reply;
    };
    refused("QUERY WIHT position", "-BADARG unexpected 'WIHT' (did you mean 'WITH'?); expected one of WITH");
    refused("QUERY WITH", "-BADARG WITH takes component names");
    refused("QUERY WITH postion", "-BADARG WITH: unknown component 'postion' (did you mean 'position'?)");
    refused("QUERY WITH position WITH health", "-BADARG WITH is given twice");
    refused("QUERY FLAGS purple", "-BADARG FLAGS");
    refused("QUERY WHERE health", "-BADARG WHERE: 'health' is no condition");
    refused("QUERY WHERE health<5", "-BADARG WHERE: 'health<5' names a component; expected component.field");
    refused("QUERY WHERE health.curent<5",
            "-BADARG WHERE: component health has no field 'curent' (did you mean 'current'?)");
    refused("QUERY WHERE position.x==1", "-BADARG WHERE: 'position.x==1' has == where = is meant");
    refused("COUNT health.current<20",
            "-BADARG unexpected 'health.current<20'; a condition comes after WHERE");
    refused("QUERY RETURN COUNT", "-BADARG RETURN names components; for the number write COUNT alone");
    refused("QUERY WHERE health.current<five", "-BADARG WHERE: health.current");
    refused("QUERY WHERE health.current=<5", "-BADARG WHERE: health.current");
    refused("QUERY WHERE ai.state<chase", "-BADARG WHERE: ai.state is not a number; only = and != apply");
    refused("QUERY NEAR 0 0 0", "-BADARG NEAR takes x y z radius");
    refused("QUERY NEAR 0,0,0 10",
            "-BADARG NEAR takes x y z radius with spaces between them: '0 0 0', not '0,0,0'\r\n");
    refused("QUERY NEAR 0,0,0 10 RETURN position,health LIMIT 5",
            "-BADARG NEAR takes x y z radius with spaces");
    refused("QUERY NEAR 0 0 RETURN position,health", "-BADARG NEAR z: 'RETURN'");
    refused("COUNT BOX 0,0,0 1,1,1", "-BADARG BOX takes x1 y1 z1 x2 y2 z2 with spaces between them: '0 0 0'");
    refused("SPAWN AREA 0,0,0 9,9,9",
            "-BADARG AREA takes x1 y1 z1 x2 y2 z2 with spaces between them: '0 0 0'");
    refused("QUERY NEAR 0 0 0 -1", "-BADARG NEAR radius");
    refused("QUERY NEAR 0 zero 0 1", "-BADARG NEAR y");
    refused("QUERY NEAR 0 0 0 1 BOX 0 0 0 1 1 1", "-BADARG NEAR, BOX and NEAREST exclude each other");
    refused("QUERY NEAREST 0 0 0 5 LIMIT 2", "-BADARG NEAREST has its own limit k");
    refused("QUERY NEAR 0 0 0 1 CURSOR 0", "-BADARG CURSOR goes by index");
    refused("QUERY COUNT LIMIT 5", "-BADARG COUNT answers a number");
    refused("QUERY LIMIT 10001",
            "-LIMIT LIMIT 10001 is over max-query-rows 10000: page through them with CURSOR");
    refused("QUERY NEAREST 0 0 0 10001", "-LIMIT NEAREST k 10001");
    refused("QUERY CURSOR x", "-BADARG CURSOR");
    refused("QUERY RETURN position.q", "-BADARG component position has no field 'q'");
    refused("COUNT LIMIT 5", "-BADARG unexpected 'LIMIT', which does not apply here; expected one of WITH");
    refused("QUERY LIMIT 0", "-BADARG LIMIT: '0' is too small; expected an integer from 1 to 10000\r\n");
    refused("QUERY NEAREST 0 0 0 0",
            "-BADARG NEAREST k: '0' is too small; expected an integer from 1 to 10000");
}

// Each condition is looked at for every entity: thousands in one request would hold up the tick for seconds.
TEST(Query, TakesABoundedNumberOfConditions) {
    LineServer server;
    std::string line = "COUNT WHERE";
    for (int i = 0; i < 64; ++i) line += " AND position.x>=5";
    EXPECT_EQ(server.result(line), "5");
    server.client.json = false;
    EXPECT_EQ(server.run(line + " position.x>=5"), "-LIMIT WHERE takes at most 64 conditions\r\n");
}

}  // namespace
}  // namespace evertick::test
