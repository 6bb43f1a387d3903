#include "server/world/quarantine.hpp"

#include <gtest/gtest.h>

#include <limits>

#include <nlohmann/json.hpp>

#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

// A server in which 0:0 has gone into quarantine, as no client can bring about.
class QuarantineCommand : public testing::Test {
  protected:
    QuarantineCommand() {
        server_.run("SPAWN position=1,2,3 velocity health=40,100 ai=chase,none,7,2");
        server_.run("SPAWN position=1,2,3");
        const ecs::Entity broken = server_.world.registry.entity_at(0);
        server_.world.registry.get<world::Velocity>(broken).y = std::numeric_limits<float>::quiet_NaN();
        server_.world.registry.get<world::Velocity>(broken).z = -std::numeric_limits<float>::infinity();
        server_.world.tick = 9;
        world::quarantine_invalid(server_.world, "wind");
    }

    FakeServer server_;
};

TEST_F(QuarantineCommand, CountsAndListsWhoIsIn) {
    EXPECT_EQ(server_.run("QUARANTINE COUNT"), ":1\r\n");
    const auto rows = nlohmann::json::parse(server_.run("JSON QUARANTINE LIST"))["result"];
    const auto expected = nlohmann::json::parse(R"([{
        "id": "0:0", "tick": 9, "system": "wind", "invalid": ["velocity.y nan", "velocity.z -inf"],
        "components": {
            "position": {"x": 1, "y": 2, "z": 3}, "velocity": {"x": 0, "y": null, "z": null},
            "health": {"current": 40, "max": 100},
            "ai": {"state": "chase", "target": "none", "detection_range": 7, "cooldown": 2}}}])");
    EXPECT_EQ(rows, expected) << rows.dump(2);
    EXPECT_EQ(server_.run("QUARANTINE LIST 0"), "*0\r\n");
}

TEST_F(QuarantineCommand, ShowsEveryKindOfInvalidValue) {
    ecs::Registry& registry = server_.world.registry;
    const ecs::Entity odd = registry.create();
    registry.emplace<world::Ai>(odd, world::Ai{.state = static_cast<world::AiState>(9), .cooldown = 1e300});
    registry.emplace<world::Flags>(odd, world::Flags{{std::uint32_t{1} << 31}});
    registry.emplace<world::Health>(odd, world::Health{.current = -5});
    registry.emplace<world::Position>(odd, world::Position{.x = 4e7F});
    world::quarantine_invalid(server_.world, "rain");
    const auto row = nlohmann::json::parse(server_.run("JSON QUARANTINE LIST"))["result"][1];
    EXPECT_EQ(row["id"], "2:0");
    EXPECT_EQ(row["invalid"], (nlohmann::json{"position.x 4e+07", "health.current -5", "ai.state word 9",
                                              "ai.cooldown 1e+300", "flags.set bits 2147483648"}))
        << row["invalid"];
}

TEST_F(QuarantineCommand, HidesTheEntityFromFiltersAndKeepsItAlive) {
    EXPECT_EQ(server_.run("COUNT WITH position"), ":1\r\n");
    EXPECT_EQ(server_.run("COUNT"), ":2\r\n");
    EXPECT_EQ(server_.run("GET 0:0"), "*0\r\n");
    EXPECT_EQ(server_.run("COUNT NEAR 1 2 3 10"), ":1\r\n");
    EXPECT_NE(server_.run("INFO world").find("quarantined:1\r\n"), std::string::npos);
}

TEST_F(QuarantineCommand, ReleasesOnce) {
    EXPECT_EQ(server_.run("QUARANTINE RELEASE 0:0"), "+OK\r\n");
    EXPECT_EQ(server_.run("JSON GET 0:0 velocity"),
              "{\"ok\":true,\"tick\":9,\"result\":{\"velocity\":{\"x\":0,\"y\":0,\"z\":0}}}\n");
    EXPECT_EQ(server_.run("COUNT NEAR 1 2 3 10"), ":2\r\n");
    EXPECT_EQ(server_.run("QUARANTINE RELEASE 0:0"),
              "-BADARG entity 0:0 is not in quarantine; QUARANTINE LIST shows who is\r\n");
}

TEST_F(QuarantineCommand, RefusesWhatItCannotRead) {
    EXPECT_EQ(server_.run("QUARANTINE RELEASE 5:0"), "-NOENT no entity 5:0: it never existed\r\n");
    EXPECT_TRUE(server_.run("QUARANTINE RELEASE x").starts_with("-BADARG")) << "no id";
    EXPECT_TRUE(server_.run("QUARANTINE LIST -1").starts_with("-BADARG count: '-1'"));
    EXPECT_TRUE(server_.run("QUARANTINE LIST 10001").starts_with("-BADARG count: '10001'"))
        << "max-query-rows";
    EXPECT_TRUE(server_.run("QUARANTINE").starts_with("-ERR"));
    EXPECT_EQ(server_.run("QUARANTINE COUNT"), ":1\r\n") << "nothing has changed";
}

}  // namespace
}  // namespace evertick::test
