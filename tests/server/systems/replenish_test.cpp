#include "server/systems/replenish.hpp"

#include <gtest/gtest.h>

#include "server/world/components.hpp"

namespace evertick::systems {
namespace {

using world::Lifetime;
using world::World;

TEST(Replenish, FillsUpToThePopulation) {
    World world(1);
    world.wanderers = 10;
    replenish(world);
    EXPECT_EQ(world.registry.count<Lifetime>(), 10U);
    EXPECT_EQ(world.counters.spawned, 10U);
    replenish(world);
    EXPECT_EQ(world.registry.count<Lifetime>(), 10U);
}

TEST(Replenish, DoesNothingInAWorldWithoutWanderers) {
    World world(1);
    replenish(world);
    EXPECT_EQ(world.registry.alive_count(), 0U);
    EXPECT_EQ(world.random.state(), core::Random(1).state()) << "and draws nothing";
}

TEST(Replenish, KeepsWithinMaxEntities) {
    World world(1);
    world.wanderers = 10;
    world.max_entities = 4;
    replenish(world);
    EXPECT_EQ(world.registry.alive_count(), 4U);
}

}  // namespace
}  // namespace evertick::systems
