#include <gtest/gtest.h>

#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

// A failing command must leave the world as it was.
void expect_refused(FakeServer& server, const std::string& line, std::string_view reply_start) {
    const std::string before = server.run("JSON QUERY LIMIT 1000 RETURN position,health,flags,ai");
    const std::string reply = server.run(line);
    EXPECT_TRUE(reply.starts_with(reply_start)) << line << " answered " << reply;
    EXPECT_EQ(server.run("JSON QUERY LIMIT 1000 RETURN position,health,flags,ai"), before)
        << line << " changed the world";
}

TEST(Spawn, AnswersTheHandle) {
    FakeServer server;
    EXPECT_EQ(server.run("SPAWN position=1,2,3"), "$3\r\n0:0\r\n");
    EXPECT_EQ(server.run("SPAWN"), "$3\r\n1:0\r\n") << "an entity may have no component";
    EXPECT_EQ(server.world.counters.spawned, 2U);
}

TEST(Spawn, TakesWholeComponentsFieldsAndBareNames) {
    FakeServer server;
    server.run("SPAWN position=1,2,3 position.y=9 health.current=40 ai");
    EXPECT_EQ(server.run("JSON GET 0:0 position health.current ai.state"),
              "{\"ok\":true,\"tick\":0,\"result\":{\"position\":{\"x\":1,\"y\":9,\"z\":3},\"health\":{"
              "\"current\":40},"
              "\"ai\":{\"state\":\"idle\"}}}\n");
}

TEST(Spawn, CreatesManyInOneCommand) {
    FakeServer server;
    EXPECT_EQ(server.run("SPAWN COUNT 3 health=5,10"), "*3\r\n$3\r\n0:0\r\n$3\r\n1:0\r\n$3\r\n2:0\r\n");
    EXPECT_EQ(server.run("SPAWN COUNT 1000 QUIET health"), ":1000\r\n");
    EXPECT_EQ(server.run("COUNT WITH health"), ":1003\r\n");
}

TEST(Spawn, DrawsPositionsInAnArea) {
    FakeServer server;
    server.run("SPAWN COUNT 500 QUIET AREA 10 0 0 -10 5 0");
    EXPECT_EQ(server.run("COUNT BOX -10 0 0 10 5 0"), ":500\r\n");
    EXPECT_NE(server.run("COUNT BOX -10 0 0 0 5 0"), ":500\r\n") << "not all in one half";
}

TEST(Spawn, DrawsTheSamePositionsFromTheSameSeed) {
    FakeServer one, two;
    one.run("SPAWN COUNT 5 AREA 0 0 0 9 9 9");
    two.run("SPAWN COUNT 5 AREA 0 0 0 9 9 9");
    EXPECT_EQ(one.run("QUERY RETURN position"), two.run("QUERY RETURN position"));
}

TEST(Spawn, RefusesWhatItCannotReadAndChangesNothing) {
    FakeServer server;
    server.run("SPAWN position=1,2,3 health=5,10");
    expect_refused(server, "SPAWN positon=1,2,3",
                   "-BADARG unknown component 'positon' (did you mean 'position'?)");
    expect_refused(server, "SPAWN position=1,2", "-BADARG ");
    expect_refused(server, "SPAWN position.w=1", "-BADARG component position has no field 'w'");
    expect_refused(server, "SPAWN position.x", "-BADARG position.x: a field needs a value");
    expect_refused(server, "SPAWN position=1,2,nan", "-BADARG position.z");
    expect_refused(server, "SPAWN position=1,2,1e30", "-BADARG position.z");
    expect_refused(server, "SPAWN health=1.5,2", "-BADARG health.current");
    expect_refused(server, "SPAWN COUNT 0", "-BADARG COUNT");
    expect_refused(server, "SPAWN COUNT", "-BADARG COUNT takes");
    expect_refused(server, "SPAWN COUNT 2 COUNT 3", "-BADARG COUNT is given twice");
    expect_refused(server, "SPAWN COUNT 2 QUIET QUIET", "-BADARG QUIET is given twice");
    expect_refused(server, "SPAWN AREA 0 0 0 1 1 1 AREA 0 0 0 1 1 1", "-BADARG AREA is given twice");
    expect_refused(server, "SPAWN QUIET", "-BADARG QUIET goes with COUNT");
    expect_refused(server, "SPAWN AREA 1 2 3", "-BADARG AREA takes six numbers");
    expect_refused(server, "SPAWN AREA 0 0 0 1 1 1 position=1,2,3", "-BADARG AREA draws the position");
    expect_refused(server, "SPAWN \"\"", "-BADARG '' is no component; write component[.field]=value");
    expect_refused(server, "SPAWN health 1 2", "-BADARG '1' is no component; write component[.field]=value");
    expect_refused(server, "SPAWN position = 1,2,3",
                   "-BADARG '' is no component; write component[.field]=value");
}

TEST(Spawn, IsRefusedWhenTheWorldIsFull) {
    FakeServer server;
    server.world.max_entities = 2;
    server.run("SPAWN");
    expect_refused(server, "SPAWN COUNT 2", "-OOM the world holds 1 entities and max-entities is 2");
    EXPECT_EQ(server.run("SPAWN"), "$3\r\n1:0\r\n");
}

TEST(Destroy, CountsTheLiveOnes) {
    FakeServer server;
    server.run("SPAWN COUNT 3");
    EXPECT_EQ(server.run("DESTROY 0:0 1:0 1:0 77:3"), ":2\r\n");
    EXPECT_EQ(server.run("DESTROY 0:0"), ":0\r\n");
    EXPECT_EQ(server.world.counters.destroyed, 2U);
}

TEST(Destroy, RefusesAMalformedIdBeforeItDestroysAny) {
    FakeServer server;
    server.run("SPAWN COUNT 3");
    expect_refused(server, "DESTROY 0:0 one", "-BADARG id: 'one' is not an entity");
    expect_refused(server, "DESTROY none", "-BADARG id: 'none' is not an entity");
}

TEST(Destroy, TakesAFilter) {
    FakeServer server;
    server.run("SPAWN COUNT 3 health=5,10");
    server.run("SPAWN COUNT 2 health=50,100");
    EXPECT_EQ(server.run("DESTROY WHERE health.current<10 DRYRUN"), ":3\r\n");
    EXPECT_EQ(server.run("COUNT"), ":5\r\n");
    EXPECT_EQ(server.run("DESTROY WHERE health.current<10"), ":3\r\n");
    EXPECT_EQ(server.run("COUNT"), ":2\r\n");
    expect_refused(server, "DESTROY WHERE", "-BADARG WHERE takes conditions");
    expect_refused(server, "DESTROY WITH health LIMIT 1", "-BADARG unexpected 'LIMIT'");
    expect_refused(server, "DESTROY NEAREST 0 0 0 1", "-BADARG ");
    expect_refused(server, "DESTROY DRYRUN", "-BADARG ");
}

TEST(Get, ShowsEveryComponent) {
    FakeServer server;
    server.run("SPAWN position=1,2,3 health=40,100");
    EXPECT_EQ(
        server.run("GET 0:0"),
        "*4\r\n$8\r\nposition\r\n*6\r\n$1\r\nx\r\n$1\r\n1\r\n$1\r\ny\r\n$1\r\n2\r\n$1\r\nz\r\n$1\r\n3\r\n"
        "$6\r\nhealth\r\n*4\r\n$7\r\ncurrent\r\n:40\r\n$3\r\nmax\r\n:100\r\n");
}

TEST(Get, AnswersOneBareFieldAsItsValue) {
    FakeServer server;
    server.run("SPAWN position=1.5,2,3");
    EXPECT_EQ(server.run("GET 0:0 position.x"), "$3\r\n1.5\r\n");
    EXPECT_EQ(server.run("GET 0:0 health.max"), "$-1\r\n") << "it has no health";
}

TEST(Get, GroupsTheFieldsOfAComponent) {
    FakeServer server;
    server.run("SPAWN position=1,2,3");
    EXPECT_EQ(server.run("JSON GET 0:0 position.z health position.x"),
              "{\"ok\":true,\"tick\":0,\"result\":{\"position\":{\"x\":1,\"z\":3},\"health\":null}}\n");
}

TEST(Get, TakesTheRawIntegerOfAHandle) {
    FakeServer server;
    server.run("SPAWN");
    server.run("DESTROY 0:0");
    server.run("SPAWN position=7,0,0");
    EXPECT_EQ(server.run("GET 4294967296 position.x"), "$1\r\n7\r\n");
}

TEST(Get, SaysWhatBecameOfAMissingEntity) {
    FakeServer server;
    server.run("SPAWN COUNT 2");
    server.run("DESTROY 0:0 1:0");
    EXPECT_EQ(server.run("GET 5:0"), "-NOENT no entity 5:0: it never existed\r\n");
    EXPECT_EQ(server.run("GET 0:0"), "-NOENT no entity 0:0: it was destroyed\r\n");
    server.run("SPAWN COUNT 2");
    EXPECT_EQ(server.run("GET 0:0"), "-NOENT no entity 0:0: it was destroyed, and index 0 is now 0:1\r\n");
    EXPECT_EQ(server.run("GET 0:9"), "-NOENT no entity 0:9: it never existed\r\n");
}

TEST(Set, ChangesWhatItNamesAndNothingElse) {
    FakeServer server;
    server.run("SPAWN position=1,2,3 health=40,100");
    EXPECT_EQ(server.run("SET 0:0 position.x=5 health=10,20"), "+OK\r\n");
    EXPECT_EQ(server.run("JSON GET 0:0"),
              "{\"ok\":true,\"tick\":0,\"result\":{\"position\":{\"x\":5,\"y\":2,\"z\":3},\"health\":{"
              "\"current\":10,\"max\":20}}}\n");
}

TEST(Set, AddsAMissingComponentWithDefaultsForTheRest) {
    FakeServer server;
    server.run("SPAWN");
    EXPECT_EQ(server.run("SET 0:0 position.x=5"), "+OK\r\n");
    EXPECT_EQ(server.run("JSON GET 0:0 position"),
              "{\"ok\":true,\"tick\":0,\"result\":{\"position\":{\"x\":5,\"y\":0,\"z\":0}}}\n");
}

TEST(Set, LeavesAPresentComponentAloneWhenOnlyNamed) {
    FakeServer server;
    server.run("SPAWN health=40,100");
    EXPECT_EQ(server.run("SET 0:0 health"), "+OK\r\n");
    EXPECT_EQ(server.run("GET 0:0 health.current"), ":40\r\n");
}

TEST(Set, EditsFlagsByName) {
    FakeServer server;
    server.run("SPAWN flags=alive,elite");
    server.run("SET 0:0 flags=+hostile,-elite");
    EXPECT_EQ(server.run("GET 0:0 flags.set"), "$13\r\nalive,hostile\r\n");
    EXPECT_EQ(server.run("JSON GET 0:0 flags"),
              "{\"ok\":true,\"tick\":0,\"result\":{\"flags\":{\"set\":[\"alive\",\"hostile\"]}}}\n");
}

TEST(Set, ChangesNothingWhenOneWordIsWrong) {
    FakeServer server;
    server.run("SPAWN position=1,2,3 health=40,100");
    expect_refused(server, "SET 0:0 position.x=5 health=abc,1", "-BADARG health.current");
    expect_refused(server, "SET 0:0 position.x=5 helth=1,1",
                   "-BADARG unknown component 'helth' (did you mean 'health'?)");
    expect_refused(server, "SET 7:0 position.x=5", "-NOENT no entity 7:0");
    expect_refused(server, "SET zero position.x=5", "-BADARG id");
    expect_refused(server, "SET 0:0", "-ERR wrong number of arguments");
}

TEST(Set, TakesAnEntityForATarget) {
    FakeServer server;
    server.run("SPAWN COUNT 2");
    EXPECT_EQ(server.run("SET 0:0 ai.target=1:0"), "+OK\r\n");
    EXPECT_EQ(server.run("GET 0:0 ai.target"), "$3\r\n1:0\r\n");
    EXPECT_EQ(server.run("SET 0:0 ai.target=none"), "+OK\r\n");
    EXPECT_EQ(server.run("GET 0:0 ai.target"), "$4\r\nnone\r\n");
}

TEST(Unset, RemovesComponents) {
    FakeServer server;
    server.run("SPAWN position=1,2,3 health=40,100");
    EXPECT_EQ(server.run("UNSET 0:0 health velocity"), ":1\r\n");
    EXPECT_EQ(server.run("COUNT WITH health"), ":0\r\n");
    expect_refused(server, "UNSET 0:0 position nonsense", "-BADARG unknown component 'nonsense'");
}

TEST(Exists, CountsEachIdEvenTwice) {
    FakeServer server;
    server.run("SPAWN");
    EXPECT_EQ(server.run("EXISTS 0:0 0:0 1:0"), ":2\r\n");
    expect_refused(server, "EXISTS 0:0 x", "-BADARG id: 'x'");
}

TEST(Clear, AsksBeforeItDestroysEverything) {
    FakeServer server;
    server.run("SPAWN COUNT 5");
    server.world.wanderers = 5;
    expect_refused(server, "CLEAR", "-BADARG CLEAR destroys all 5 entities; say CLEAR YES");
    expect_refused(server, "CLEAR no", "-BADARG CLEAR takes only YES");
    EXPECT_EQ(server.run("CLEAR yes"), ":5\r\n");
    EXPECT_EQ(server.run("COUNT"), ":0\r\n");
    EXPECT_EQ(server.run("EXISTS 0:0"), ":0\r\n");
    EXPECT_EQ(server.world.wanderers, 0U) << "the demo must not refill a cleared world";
}

}  // namespace
}  // namespace evertick::test
