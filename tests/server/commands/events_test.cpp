#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/units.hpp"
#include "server/world/components.hpp"
#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Json = nlohmann::json;

struct EventServer : FakeServer {
    EventServer() { client.json = true; }

    // The messages of a JSON connection.
    std::vector<Json> messages() {
        std::vector<Json> all;
        const std::string bytes = pushed();
        for (std::size_t at = 0; at < bytes.size(); at = bytes.find('\n', at) + 1)
            all.push_back(Json::parse(bytes.substr(at, bytes.find('\n', at) - at)));
        return all;
    }
};

TEST(Events, ComeTogetherOncePerTick) {
    EventServer server;
    server.run("EVENTS ON spawn,destroy");
    server.run("SPAWN health");
    server.run("SPAWN COUNT 2 health");
    server.run("DESTROY 1:0");
    const auto messages = server.messages();
    ASSERT_EQ(messages.size(), 2U);
    EXPECT_EQ(messages[0], Json::parse(R"({"event":"spawn","tick":0,"entities":["0:0","1:0","2:0"]})"));
    EXPECT_EQ(messages[1], Json::parse(R"({"event":"destroy","tick":0,"entities":["1:0"]})"));
    EXPECT_THAT(server.messages(), IsEmpty()) << "each comes once";
}

TEST(Events, AreRecordedOnlyWhileSomebodyListens) {
    EventServer server;
    server.run("SPAWN health");
    EXPECT_TRUE(server.world.events.events().empty());
    server.run("EVENTS ON spawn");
    server.run("SPAWN health");
    server.run("EVENTS OFF");
    EXPECT_FALSE(server.world.events.listening());
    EXPECT_EQ(server.pushed(), "");
    server.run("EVENTS ON spawn");
    EXPECT_EQ(server.pushed(), "") << "what was before is not told";
}

TEST(Events, OfARegionAreThoseThatHappenedThere) {
    EventServer server;
    server.run("EVENTS ON spawn,destroy NEAR 0 0 0 10");
    for (const char* line :
         {"SPAWN position=1,0,0", "SPAWN position=10,0,0", "SPAWN position=11,0,0", "SPAWN"})
        server.run(line);
    server.run("DESTROY 0:0 2:0 3:0");
    const auto messages = server.messages();
    ASSERT_EQ(messages.size(), 2U);
    EXPECT_EQ(messages[0]["entities"], Json::array({"0:0", "1:0"}));
    EXPECT_EQ(messages[1]["entities"], Json::array({"0:0"}));
}

TEST(Events, TellWhoEnteredAndLeftARegion) {
    EventServer server;
    server.run("SPAWN position=0,0,0");
    server.run("SPAWN position=50,0,0");
    server.run("EVENTS ON enter,leave BOX -10 -10 -10 10 10 10");
    EXPECT_THAT(server.messages(), IsEmpty()) << "who is there already has not entered";
    server.run("SET 1:0 position.x=10");
    server.run("SET 0:0 position.x=11");
    auto messages = server.messages();
    ASSERT_EQ(messages.size(), 2U);
    EXPECT_EQ(messages[0], Json::parse(R"({"event":"enter","tick":0,"entities":["1:0"]})"));
    EXPECT_EQ(messages[1], Json::parse(R"({"event":"leave","tick":0,"entities":["0:0"]})"));
    server.run("DESTROY 1:0");
    messages = server.messages();
    ASSERT_EQ(messages.size(), 1U);
    EXPECT_EQ(messages[0]["event"], "leave") << "who is destroyed is not there any more";
}

TEST(Events, TellWhoEnteredAmongMany) {
    EventServer server;
    server.run("SPAWN COUNT 100 QUIET position=50,0,0");
    server.run("EVENTS ON enter,leave NEAR 0 0 0 10");
    server.run("HSET 7:0 position.x 9");
    auto messages = server.messages();
    ASSERT_EQ(messages.size(), 1U);
    EXPECT_EQ(messages[0], Json::parse(R"({"event":"enter","tick":0,"entities":["7:0"]})"));
    server.run("DEL 7:0");
    server.run("SPAWN position=9,0,0");
    messages = server.messages();
    ASSERT_EQ(messages.size(), 2U);
    EXPECT_EQ(messages[0]["entities"], Json::array({"7:1"})) << "the new tenant of a handle's slot";
    EXPECT_EQ(messages[1]["entities"], Json::array({"7:0"}));
}

TEST(Events, NeedARegionToEnter) {
    FakeServer server;
    EXPECT_THAT(server.run("EVENTS ON enter"), StartsWith("-BADARG enter and leave are of a region"));
    EXPECT_THAT(server.run("EVENTS ON birth"), StartsWith("-BADARG 'birth' is no event"));
    EXPECT_THAT(server.run("EVENTS ON enter NEAREST 0 0 0 5"),
                StartsWith("-BADARG expected NEAR x y z radius or BOX"));
    EXPECT_THAT(server.run("EVENTS ON enter NEAR 0 0 0"), StartsWith("-BADARG"));
    EXPECT_THAT(server.run("EVENTS ON spawn NEAR 0 0 0 5 WITH health"), StartsWith("-BADARG"));
    EXPECT_EQ(server.client.subscriptions, 0U) << "a refused one changes nothing";
}

TEST(Events, AreCountedWhenTheClientDoesNotRead) {
    EventServer server;
    server.run("EVENTS ON spawn");
    server.sessions.queue_bytes = 0;
    server.run("SPAWN COUNT 5");
    EXPECT_EQ(server.pushed(), "");
    server.run("SPAWN COUNT 2");
    EXPECT_EQ(server.pushed(), "");
    server.sessions.queue_bytes = 10'000;
    auto messages = server.messages();
    ASSERT_EQ(messages.size(), 1U) << "told as soon as there is room";
    EXPECT_EQ(messages[0], Json::parse(R"({"event":"spawn","tick":0,"entities":[],"lost":7})"));
    server.run("SPAWN");
    messages = server.messages();
    EXPECT_FALSE(messages.at(0).contains("lost"));
}

TEST(Events, AreBoundedWithinATick) {
    EventServer server;
    server.run("EVENTS ON spawn");
    const std::size_t many = world::EventLog::kMaxEvents + 10;
    server.sessions.queue_bytes = 100'000'000;
    server.run("SPAWN COUNT " + std::to_string(many) + " QUIET");
    EXPECT_EQ(server.world.events.events().size(), world::EventLog::kMaxEvents);
    std::size_t told = 0, lost = 0;
    for (const Json& message : server.messages()) {
        EXPECT_LE(message["entities"].size(), commands::kMaxEntitiesPerMessage);
        told += message["entities"].size();
        lost += message.value("lost", std::size_t{0});
    }
    EXPECT_EQ(told + lost, many);
}

TEST(Events, OfACrowdedRegionAreLostUntilItEmpties) {
    EventServer server;
    server.run("EVENTS ON enter,leave NEAR 0 0 0 10");
    const std::size_t many = commands::Streams::kMaxMembers + 1;
    server.run("SPAWN COUNT " + std::to_string(many) + " QUIET position=0,0,0");
    auto messages = server.messages();
    ASSERT_EQ(messages.size(), 2U) << "one for each of enter and leave";
    EXPECT_EQ(messages[0]["lost"], 1);
    EXPECT_THAT(server.messages(), IsEmpty());
    server.run("DESTROY 0:0");
    messages = server.messages();
    ASSERT_EQ(messages.size(), 2U);
    EXPECT_EQ(messages[0]["lost"], 1) << "who is there now is not told one by one";
    server.run("DESTROY 1:0");
    EXPECT_EQ(server.messages().at(0)["event"], "leave");
    server.run("SPAWN COUNT 2 QUIET position=0,0,0");
    server.run("EVENTS OFF");
    EXPECT_THAT(server.run("EVENTS ON enter NEAR 0 0 0 10"), HasSubstr("\"code\":\"LIMIT\""));
}

TEST(Events, AreLimitedInTheRegionsThatAreWatched) {
    FakeServer server;
    std::vector<protocol::Client> clients(commands::Streams::kMaxWatched + 1);
    for (std::size_t i = 0; i < clients.size(); ++i) {
        clients[i].id = i + 1;
        commands::Subscription subscription{.kinds = 1U << 3U};
        subscription.region = world::Near{{0, 0, 0}, 10};
        EXPECT_EQ(server.streams.add(clients[i], subscription, server.scratch).has_value(),
                  i < commands::Streams::kMaxWatched);
    }
}

TEST(Events, InResp2LeaveRoomForNothingElse) {
    FakeServer server;
    EXPECT_EQ(server.run("EVENTS ON spawn"), "+OK\r\n");
    EXPECT_THAT(server.run("SPAWN"), StartsWith("-ERR 'SPAWN' has to wait until UNSUBSCRIBE or EVENTS OFF"));
    EXPECT_EQ(server.run("PING"), "*2\r\n$4\r\npong\r\n$0\r\n\r\n");
    EXPECT_EQ(server.run("EVENTS OFF"), "+OK\r\n");
    EXPECT_EQ(server.run("PING"), "+PONG\r\n");
}

TEST(Events, InResp3ArePushes) {
    FakeServer server;
    server.run("HELLO 3");
    server.run("EVENTS ON spawn");
    EXPECT_EQ(server.run("SPAWN"), "$3\r\n0:0\r\n");
    EXPECT_EQ(server.pushed(),
              ">3\r\n$7\r\nmessage\r\n$12\r\nevents:spawn\r\n$45\r\n"
              "{\"event\":\"spawn\",\"tick\":0,\"entities\":[\"0:0\"]}\r\n");
    EXPECT_EQ(server.run("RESET"), "+RESET\r\n");
    EXPECT_EQ(server.client.subscriptions, 0U);
}

TEST(Subscribe, AnswersForEachChannel) {
    FakeServer server;
    EXPECT_EQ(server.run("SUBSCRIBE events:spawn events:death"),
              "*3\r\n$9\r\nsubscribe\r\n$12\r\nevents:spawn\r\n:1\r\n"
              "*3\r\n$9\r\nsubscribe\r\n$12\r\nevents:death\r\n:2\r\n");
    EXPECT_EQ(server.run("SUBSCRIBE events:spawn"), "*3\r\n$9\r\nsubscribe\r\n$12\r\nevents:spawn\r\n:2\r\n");
    EXPECT_EQ(server.run("UNSUBSCRIBE"),
              "*3\r\n$11\r\nunsubscribe\r\n$12\r\nevents:death\r\n:1\r\n"
              "*3\r\n$11\r\nunsubscribe\r\n$12\r\nevents:spawn\r\n:0\r\n");
    EXPECT_EQ(server.run("UNSUBSCRIBE"), "*3\r\n$11\r\nunsubscribe\r\n$-1\r\n:0\r\n");
    EXPECT_EQ(server.run("PING"), "+PONG\r\n");
}

TEST(Subscribe, ByPatternNamesThePattern) {
    FakeServer server;
    server.run("SPAWN");
    server.run("PSUBSCRIBE events:*");
    server.world.events.note_destroyed(server.world.registry, std::array{server.world.registry.entity_at(0)});
    EXPECT_EQ(server.pushed(),
              "*4\r\n$8\r\npmessage\r\n$8\r\nevents:*\r\n$14\r\nevents:destroy\r\n$47\r\n"
              "{\"event\":\"destroy\",\"tick\":0,\"entities\":[\"0:0\"]}\r\n");
}

TEST(Subscribe, RefusesChannelsThatDoNotExistAndMoreThanALimit) {
    FakeServer server;
    EXPECT_THAT(server.run("SUBSCRIBE news"),
                StartsWith("-BADARG no channel 'news'; there are events:spawn"));
    EXPECT_THAT(server.run("SUBSCRIBE events:spawn events:enter"), StartsWith("-BADARG"));
    EXPECT_EQ(server.client.subscriptions, 0U) << "all or none";
    EXPECT_THAT(server.run("PSUBSCRIBE news*"), StartsWith("-BADARG"));
    std::string line = "PSUBSCRIBE";
    for (std::size_t i = 0; i <= commands::Streams::kMaxSubscriptions; ++i)
        line += " e" + std::string(i + 1, '*') + "spawn";
    EXPECT_THAT(server.run(line), StartsWith("-LIMIT at most 32"));
}

}  // namespace
}  // namespace evertick::test
