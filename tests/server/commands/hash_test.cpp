#include <gtest/gtest.h>

#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

TEST(Hset, ChangesFieldsAndCountsThoseItHadNot) {
    FakeServer server;
    server.run("SPAWN position=1,2,3");
    EXPECT_EQ(server.run("HSET 0:0 position.x 5 position.y 6"), ":0\r\n");
    EXPECT_EQ(server.run("HSET 0:0 position.z 7 health.current 40 health.current 41"), ":1\r\n")
        << "health.current is new, and counts once";
    EXPECT_EQ(server.run("JSON GET 0:0"),
              "{\"ok\":true,\"tick\":0,\"result\":{\"position\":{\"x\":5,\"y\":6,\"z\":7},\"health\":{"
              "\"current\":41,\"max\":100}}}\n");
}

TEST(Hset, RefusesAMissingEntity) {
    FakeServer server;
    EXPECT_EQ(server.run("HSET 0:0 position.x 5"), "-NOENT no entity 0:0: it never existed\r\n");
    EXPECT_TRUE(server.run("HSET zero position.x 5").starts_with("-BADARG id: 'zero' is not an entity"));
}

TEST(Hset, ChangesNothingWhenOneWordIsWrong) {
    FakeServer server;
    server.run("SPAWN position=1,2,3");
    for (const auto& [line, error] : std::vector<std::pair<std::string, std::string>>{
             {"HSET 0:0 position.x 5 position.y up", "-BADARG position.y: 'up' is not a number"},
             {"HSET 0:0 position.x 5 health.current", "-ERR HSET: 'health.current' has no value"},
             {"HSET 0:0 position.x 5 positon.y 6", "-BADARG unknown component 'positon' (did you mean"},
             {"HSET 0:0 position.x 5 position.w 6", "-BADARG component position has no field 'w'"},
             {"HSET 0:0 position.x 5 position 1,2,3", "-BADARG 'position' names a component"}}) {
        const std::string reply = server.run(line);
        EXPECT_TRUE(reply.starts_with(error)) << line << " answered " << reply;
    }
    EXPECT_EQ(server.run("HGET 0:0 position.x"), "$1\r\n1\r\n");
}

TEST(Hset, TakesABoundedNumberOfFields) {
    FakeServer server;
    server.run("SPAWN position");
    std::string line = "HSET 0:0";
    for (int i = 0; i < 1024; ++i) line += " position.x 1";
    EXPECT_EQ(server.run(line), ":0\r\n");
    EXPECT_EQ(server.run(line + " position.x 1"), "-LIMIT at most 1024 fields in one command\r\n");
}

TEST(Hset, EditsFlagsAndWords) {
    FakeServer server;
    server.run("SPAWN flags=alive");
    EXPECT_EQ(server.run("HSET 0:0 flags.set +elite ai.state chase"), ":1\r\n");
    EXPECT_EQ(server.run("HMGET 0:0 flags.set ai.state"), "*2\r\n$11\r\nalive,elite\r\n$5\r\nchase\r\n");
}

TEST(Hget, AnswersNilForWhatIsNotThere) {
    FakeServer server;
    server.run("SPAWN position=1.5,2,3");
    EXPECT_EQ(server.run("HGET 0:0 position.x"), "$3\r\n1.5\r\n");
    EXPECT_EQ(server.run("HGET 0:0 health.max"), "$-1\r\n") << "it has no health";
    EXPECT_EQ(server.run("HGET 9:0 position.x"), "$-1\r\n") << "there is no such entity";
    EXPECT_TRUE(server.run("HGET 0:0 position.w").starts_with("-BADARG component position has no field"));
}

TEST(Hmget, AnswersOneValueForEachName) {
    FakeServer server;
    server.run("SPAWN health=5,10");
    EXPECT_EQ(server.run("HMGET 0:0 health.max position.x health.current"),
              "*3\r\n$2\r\n10\r\n$-1\r\n$1\r\n5\r\n");
    EXPECT_EQ(server.run("HMGET 9:0 health.max"), "*1\r\n$-1\r\n");
    EXPECT_TRUE(server.run("HMGET 0:0 health.max nope.x").starts_with("-BADARG unknown component 'nope'"));
}

TEST(Hgetall, IsFlatAndKeepsTheOrderOfTheComponents) {
    FakeServer server;
    server.run("SPAWN health=5,10 position=1,2,3");
    EXPECT_EQ(
        server.run("HGETALL 0:0"),
        "*10\r\n$10\r\nposition.x\r\n$1\r\n1\r\n$10\r\nposition.y\r\n$1\r\n2\r\n$10\r\nposition.z\r\n$1\r\n"
        "3\r\n$14\r\nhealth.current\r\n$1\r\n5\r\n$10\r\nhealth.max\r\n$2\r\n10\r\n");
    EXPECT_EQ(server.run("JSON HGETALL 0:0"),
              "{\"ok\":true,\"tick\":0,\"result\":{\"position.x\":1,\"position.y\":2,\"position.z\":3,"
              "\"health.current\":5,\"health.max\":10}}\n");
    EXPECT_EQ(server.run("HLEN 0:0"), ":5\r\n");
}

TEST(Hgetall, HasStringsInResp2AndNumbersInResp3) {
    FakeServer server;
    server.run("SPAWN health=5,10");
    EXPECT_EQ(server.run("HGETALL 0:0"),
              "*4\r\n$14\r\nhealth.current\r\n$1\r\n5\r\n$10\r\nhealth.max\r\n$2\r\n10\r\n");
    EXPECT_EQ(server.run("HGET 0:0 health.max"), "$2\r\n10\r\n") << "a Redis hash holds strings";
    server.run("HELLO 3");
    EXPECT_EQ(server.run("HGETALL 0:0"), "%2\r\n$14\r\nhealth.current\r\n:5\r\n$10\r\nhealth.max\r\n:10\r\n");
    EXPECT_EQ(server.run("HGET 0:0 health.max"), ":10\r\n");
}

TEST(Hgetall, IsEmptyForAMissingEntity) {
    FakeServer server;
    EXPECT_EQ(server.run("HGETALL 0:0"), "*0\r\n");
    EXPECT_EQ(server.run("HLEN 0:0"), ":0\r\n");
    EXPECT_TRUE(server.run("HGETALL user:1").starts_with("-BADARG id: 'user:1' is not an entity"));
}

TEST(Hdel, RemovesWholeComponents) {
    FakeServer server;
    server.run("SPAWN position=1,2,3 health=5,10");
    EXPECT_EQ(server.run("HDEL 0:0 position.x"),
              "-BADARG HDEL removes whole components: write 'position', not 'position.x'\r\n");
    EXPECT_EQ(server.run("HDEL 0:0 position position ai"), ":1\r\n");
    EXPECT_EQ(server.run("HLEN 0:0"), ":2\r\n");
    EXPECT_EQ(server.run("HDEL 9:0 position"), ":0\r\n");
    EXPECT_TRUE(server.run("HDEL 0:0 health helth").starts_with("-BADARG unknown component 'helth'"));
    EXPECT_EQ(server.run("HLEN 0:0"), ":2\r\n") << "the refused command removed nothing";
}

}  // namespace
}  // namespace evertick::test
