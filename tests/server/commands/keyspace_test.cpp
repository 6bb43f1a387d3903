#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

nlohmann::json result(FakeServer& server, const std::string& line) {
    return nlohmann::json::parse(server.run("JSON " + line))["result"];
}

TEST(Del, CountsTheLiveOnes) {
    FakeServer server;
    server.run("SPAWN COUNT 4");
    EXPECT_EQ(server.run("DEL 0:0 1:0 1:0 77:3"), ":2\r\n");
    EXPECT_EQ(server.run("UNLINK 2:0"), ":1\r\n");
    EXPECT_TRUE(server.run("DEL 3:0 WITH").starts_with("-BADARG id: 'WITH' is not an entity"));
    EXPECT_EQ(server.run("DBSIZE"), ":1\r\n");
}

TEST(Del, TakesABoundedNumberOfIds) {
    FakeServer server;
    std::string ids;
    for (int i = 0; i < 10'001; ++i) ids += " 0:0";
    for (const char* command : {"DEL", "DESTROY", "EXISTS"})
        EXPECT_EQ(server.run(command + ids), "-LIMIT at most 10000 ids in one command, not 10001\r\n");
}

TEST(Flushall, PointsToClear) {
    FakeServer server;
    server.run("SPAWN");
    for (const char* line : {"FLUSHALL", "FLUSHALL ASYNC", "flushdb"})
        EXPECT_EQ(server.run(line), "-ERR this server empties its world only by name: use CLEAR YES\r\n");
    EXPECT_EQ(server.run("DBSIZE"), ":1\r\n");
}

TEST(Type, IsHashForAnEntity) {
    FakeServer server;
    server.run("SPAWN");
    EXPECT_EQ(server.run("TYPE 0:0"), "+hash\r\n");
    EXPECT_EQ(server.run("TYPE 1:0"), "+none\r\n");
    EXPECT_TRUE(server.run("TYPE one").starts_with("-BADARG id"));
}

TEST(Object, SaysWhyThereAreNoHotKeys) {
    FakeServer server;
    server.run("SPAWN");
    for (const char* line : {"OBJECT FREQ 0:0", "OBJECT HELP", "object encoding 0:0"})
        EXPECT_TRUE(server.run(line).starts_with("-ERR not supported: OBJECT; nobody counts how often"));
}

TEST(Scan, ShowsEveryEntityOnce) {
    FakeServer server;
    server.run("SPAWN COUNT 100 QUIET");
    server.run("DESTROY 3:0 50:0 99:0");
    std::set<std::string> seen;
    std::string cursor = "0";
    do {
        const auto page = result(server, "SCAN " + cursor + " COUNT 7");
        EXPECT_LE(page[1].size(), 7U);
        for (const std::string id : page[1]) EXPECT_TRUE(seen.insert(id).second) << id << " came twice";
        cursor = page[0];
    } while (cursor != "0");
    EXPECT_EQ(seen.size(), 97U);
}

TEST(Scan, MatchesIdsAndMayAnswerAnEmptyPage) {
    FakeServer server;
    server.run("SPAWN COUNT 20 QUIET");
    EXPECT_EQ(server.run("SCAN 0 MATCH 1?:0"), "*2\r\n$2\r\n10\r\n*0\r\n") << "of the first ten, none";
    EXPECT_EQ(server.run("SCAN 0 COUNT 100 MATCH *9:*"),
              "*2\r\n$1\r\n0\r\n*2\r\n$3\r\n9:0\r\n$4\r\n19:0\r\n");
}

TEST(Scan, SaysWhatItTakes) {
    FakeServer server;
    server.settings.max_rows = 50;
    EXPECT_EQ(server.run("SCAN 0 COUNT 51"),
              "-LIMIT COUNT 51 is over max-query-rows 50: go on with the cursor\r\n");
    EXPECT_TRUE(server.run("SCAN x").starts_with("-BADARG cursor: 'x' is not a whole number"));
    EXPECT_TRUE(server.run("SCAN 0 COUNT 0").starts_with("-BADARG COUNT: '0' is too small"));
    EXPECT_EQ(server.run("SCAN 0 COUNT"), "-BADARG COUNT takes a number: SCAN 0 COUNT 100\r\n");
    EXPECT_EQ(server.run("SCAN 0 MATCH"), "-BADARG MATCH takes a pattern: SCAN 0 MATCH 1*\r\n");
    EXPECT_TRUE(
        server.run("SCAN 0 TYPE hash").starts_with("-ERR SCAN does not know 'TYPE'; expected SCAN cursor"));
    EXPECT_EQ(server.run("SCAN 0 MATCH " + std::string(257, '*')),
              "-LIMIT a pattern has at most 256 bytes\r\n");
    EXPECT_EQ(server.run("SCAN 99999999"), "*2\r\n$1\r\n0\r\n*0\r\n") << "past the end";
}

TEST(Scan, StepsOverABoundedNumberOfGaps) {
    FakeServer server;
    server.run("SPAWN COUNT 250000 QUIET");
    server.run("CLEAR YES");
    server.run("SPAWN COUNT 1");
    const auto first = result(server, "SCAN 1");
    EXPECT_EQ(first[0], "100001") << "there is more to look at, and others wait";
    EXPECT_TRUE(first[1].empty());
}

TEST(Keys, AnswersAllThatMatchInASmallWorld) {
    FakeServer server;
    server.run("SPAWN COUNT 12 QUIET");
    EXPECT_EQ(result(server, "KEYS 1*"), nlohmann::json::parse(R"(["1:0","10:0","11:0"])"));
    EXPECT_EQ(result(server, "KEYS *").size(), 12U);
    server.settings.max_rows = 10;
    EXPECT_EQ(server.run("KEYS *"),
              "-LIMIT 12 ids are over max-query-rows 10: page through them with SCAN 0 MATCH pattern\r\n");
}

TEST(Keys, LeavesALargeWorldToScan) {
    FakeServer server;
    server.run("SPAWN COUNT 100001 QUIET");
    EXPECT_EQ(
        server.run("KEYS 5:*"),
        "-LIMIT KEYS looks at no more than 100000 entities: page through them with SCAN 0 MATCH pattern\r\n");
}

}  // namespace
}  // namespace evertick::test
