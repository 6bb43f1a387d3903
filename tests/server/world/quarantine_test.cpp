#include "server/world/quarantine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "server/world/state_hash.hpp"
#include "tests/server/world/spawn.hpp"

namespace evertick::world {
namespace {

using test::spawn;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Quarantine, TakesEveryComponentOfWhoIsInvalid) {
    World world(1);
    world.tick = 7;
    const auto broken = spawn(world.registry, Position{1, kNan, 3}, Health{40, 100});
    EXPECT_EQ(quarantine_invalid(world, "wind"), 1U);
    EXPECT_TRUE(world.registry.valid(broken)) << "it stays alive";
    EXPECT_FALSE(world.registry.has<Position>(broken));
    EXPECT_FALSE(world.registry.has<Health>(broken));
    const auto& kept = world.registry.get<Quarantined>(broken);
    EXPECT_EQ(kept.tick(), 7U);
    EXPECT_EQ(kept.system(), "wind");
    EXPECT_EQ(static_cast<const Health*>(kept.find(kIndexOf<Health>))->current, 40);
    EXPECT_TRUE(std::isnan(static_cast<const Position*>(kept.find(kIndexOf<Position>))->y));
    EXPECT_EQ(kept.find(kIndexOf<Velocity>), nullptr);
}

TEST(Quarantine, LeavesTheOthersAlone) {
    World world(1);
    const auto fine = spawn(world.registry, Position{kWorldLimit, 0, -kWorldLimit}, Velocity{kSpeedLimit});
    spawn(world.registry, Velocity{0, std::numeric_limits<float>::infinity(), 0});
    EXPECT_EQ(quarantine_invalid(world, "wind"), 1U);
    EXPECT_EQ(world.counters.quarantined, 1U);
    EXPECT_TRUE(world.registry.has<Position>(fine)) << "limits are inside";
    EXPECT_TRUE(world.registry.has<Velocity>(fine));
}

TEST(Quarantine, TakesAnyKindOfInvalidValue) {
    World world(1);
    spawn(world.registry, Health{-1, 100});
    spawn(world.registry, Lifetime{std::numeric_limits<double>::quiet_NaN()});
    spawn(world.registry, Ai{.state = static_cast<AiState>(9)});
    spawn(world.registry, Flags{{std::uint32_t{1} << 20}});
    spawn(world.registry, Position{2 * kWorldLimit, 0, 0}, Velocity{kNan, kNan, kNan});
    EXPECT_EQ(quarantine_invalid(world, "wind"), 5U) << "one of them with four of them, once";
}

TEST(Quarantine, ReleasesWithDefaultsForWhatWasInvalid) {
    World world(1);
    const auto broken = spawn(world.registry, Position{1, kNan, 3}, Health{40, 100});
    EXPECT_FALSE(release(world, broken)) << "it is not in yet";
    quarantine_invalid(world, "wind");
    EXPECT_TRUE(release(world, broken));
    EXPECT_EQ(world.registry.get<Position>(broken).x, 1);
    EXPECT_EQ(world.registry.get<Position>(broken).y, 0);
    EXPECT_EQ(world.registry.get<Position>(broken).z, 3);
    EXPECT_EQ(world.registry.get<Health>(broken).current, 40);
    EXPECT_FALSE(world.registry.has<Quarantined>(broken));
    EXPECT_EQ(quarantine_invalid(world, "wind"), 0U);
}

TEST(Quarantine, KeepsWhatTheEntityWasGivenMeanwhile) {
    World world(1);
    const auto broken = spawn(world.registry, Position{1, kNan, 3}, Health{40, 100});
    quarantine_invalid(world, "wind");
    world.registry.emplace<Health>(broken, Health{7, 9});
    EXPECT_TRUE(release(world, broken));
    EXPECT_EQ(world.registry.get<Health>(broken).current, 7);
    EXPECT_EQ(world.registry.get<Position>(broken).x, 1);
}

TEST(Quarantine, EndsWithTheEntity) {
    World world(1);
    const auto broken = spawn(world.registry, Velocity{kNan, 0, 0});
    quarantine_invalid(world, "wind");
    world.registry.destroy(broken);
    EXPECT_EQ(world.registry.count<Quarantined>(), 0U);
    EXPECT_FALSE(release(world, broken));
}

TEST(Quarantine, IsPartOfTheStatesHash) {
    const auto hash = [](float x, float y) {
        World world(1);
        spawn(world.registry, Position{x, y, kNan});
        quarantine_invalid(world, "wind");
        return state_hash(world).whole;
    };
    EXPECT_EQ(hash(1, 2), hash(1, 2));
    EXPECT_NE(hash(1, 2), hash(1, 3));
}

}  // namespace
}  // namespace evertick::world
