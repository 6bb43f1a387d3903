#include "server/world/scenario.hpp"

#include <gtest/gtest.h>

#include "server/world/components.hpp"

namespace evertick::world {
namespace {

constexpr std::uint64_t kSeed = 1;

TEST(Scenario, IsFoundByName) {
    ASSERT_NE(find_scenario("demo"), nullptr);
    EXPECT_EQ(find_scenario("demo")->load, &load_demo);
    EXPECT_NE(find_scenario("none"), nullptr);
    EXPECT_EQ(find_scenario("Demo"), nullptr);
}

TEST(Scenario, NoneHasNothing) {
    World world(kSeed);
    find_scenario("none")->load(world);
    EXPECT_EQ(world.registry.alive_count(), 0U);
    EXPECT_EQ(world.counters.spawned, 0U);
}

TEST(Scenario, ReferenceSpawnsPlayerEnemyAndTree) {
    World world(kSeed);
    load_reference(world);
    const ecs::Registry& registry = world.registry;
    EXPECT_EQ(registry.alive_count(), 3U);
    EXPECT_EQ(world.counters.spawned, 3U);
    const ecs::Entity player = registry.entity_at(0);
    const ecs::Entity enemy = registry.entity_at(1);
    const ecs::Entity tree = registry.entity_at(2);
    EXPECT_EQ(registry.try_get<Velocity>(player)->z, 0.5F);
    EXPECT_EQ(registry.try_get<Ai>(enemy)->target, player);
    EXPECT_EQ(registry.try_get<Position>(tree)->z, 10);
    EXPECT_EQ(registry.try_get<Velocity>(tree), nullptr);
}

TEST(Scenario, DemoAddsItsWanderers) {
    World world(kSeed);
    load_demo(world);
    EXPECT_EQ(world.wanderers, kDemoWanderers);
    EXPECT_EQ(world.registry.alive_count(), kDemoWanderers + 3);
    EXPECT_EQ(world.registry.count<Lifetime>(), kDemoWanderers);
    EXPECT_EQ(world.counters.spawned, kDemoWanderers + 3);
}

TEST(Scenario, DemoKeepsWithinMaxEntities) {
    World world(kSeed);
    world.max_entities = 100;
    load_demo(world);
    EXPECT_EQ(world.registry.alive_count(), 100U);
    EXPECT_EQ(world.wanderers, 97U);
}

TEST(Scenario, TheSeedDecidesWhereWanderersAre) {
    World first(1), same(1), other(2);
    const auto x_of_next = [](World& world) { return world.registry.get<Position>(spawn_wanderer(world)).x; };
    const float x = x_of_next(first);
    EXPECT_EQ(x_of_next(same), x);
    EXPECT_NE(x_of_next(other), x);
}

}  // namespace
}  // namespace evertick::world
