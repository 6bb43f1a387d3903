#include "server/world/state_hash.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "server/world/components.hpp"
#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

std::string padded(std::uint64_t hash) {
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash));
    return text.data();
}

TEST(HashCommand, AnswersTickAndHash) {
    FakeServer server;
    server.run("SPAWN position=1,2,3");
    server.world.tick = 7;
    const std::string hash = padded(world::state_hash(server.world).whole);
    EXPECT_EQ(server.run("HASH"), "*4\r\n$4\r\ntick\r\n:7\r\n$4\r\nhash\r\n$16\r\n" + hash + "\r\n");
}

TEST(HashCommand, HasOneForEachComponent) {
    FakeServer server;
    server.run("SPAWN position=1,2,3");
    const auto before = nlohmann::json::parse(server.run("JSON HASH COMPONENTS"))["result"];
    EXPECT_EQ(before["components"].size(), world::component_types().size());
    EXPECT_EQ(before["components"]["position"],
              padded(world::state_hash(server.world).components[world::kIndexOf<world::Position>]));
    server.run("SET 0:0 position.z=4");
    const auto after = nlohmann::json::parse(server.run("JSON HASH COMPONENTS"))["result"];
    EXPECT_NE(after["hash"], before["hash"]);
    EXPECT_NE(after["components"]["position"], before["components"]["position"]);
    EXPECT_EQ(after["components"]["health"], before["components"]["health"]);
}

TEST(HashCommand, IsTheSameOfTwoServersThatDidTheSame) {
    FakeServer one, other;
    for (const char* line :
         {"SPAWN COUNT 100 AREA 0 0 0 9 9 9 health", "DESTROY 5:0 3:0 4:0", "SPAWN flags=elite"}) {
        one.run(line);
        other.run(line);
    }
    EXPECT_EQ(one.run("HASH"), other.run("HASH"));
    other.run("DESTROY 9:0");
    EXPECT_NE(one.run("HASH"), other.run("HASH"));
}

TEST(HashCommand, RefusesWhatItDoesNotKnow) {
    FakeServer server;
    EXPECT_TRUE(server.run("HASH COMPONENT").starts_with("-ERR")) << server.run("HASH COMPONENT");
    EXPECT_TRUE(server.run("HASH COMPONENTS position").starts_with("-ERR"));
}

}  // namespace
}  // namespace evertick::test
