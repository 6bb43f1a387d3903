// The same calls give the same world, on every compiler at every level. The numbers were computed once; a
// change of behaviour changes them and must say so.

#include <gtest/gtest.h>

#include "core/mem_stack.hpp"
#include "server/systems/schedule.hpp"
#include "server/world/components.hpp"
#include "server/world/scenario.hpp"
#include "tests/simulation/battlefield.hpp"
#include "tests/simulation/digest.hpp"

namespace evertick {
namespace {

constexpr core::Seconds kTick{1.0 / 30};

void run(world::World& world, int ticks) {
    core::MemStack scratch;
    for (int i = 0; i < ticks; ++i) systems::step(world, kTick, scratch);
}

world::World demo(std::uint64_t seed, int ticks) {
    world::World world(seed);
    world::load_demo(world);
    run(world, ticks);
    return world;
}

world::World battle(std::uint64_t seed, int ticks) {
    world::World world(seed);
    world.regen_ticks = test::kBattleRegenTicks;
    for (int i = 0; i < ticks; ++i) {
        test::reinforce(world, 500);
        run(world, 1);
    }
    return world;
}

TEST(Determinism, TheSameSeedGivesTheSameWorld) {
    EXPECT_EQ(test::digest(demo(42, 100)), test::digest(demo(42, 100)));
    EXPECT_EQ(test::digest(battle(42, 100)), test::digest(battle(42, 100)));
}

TEST(Determinism, AnotherSeedGivesAnotherWorld) {
    EXPECT_NE(test::digest(demo(42, 10)), test::digest(demo(43, 10)));
}

TEST(Determinism, TheDigestSeesTheLeastChange) {
    world::World world = demo(42, 10);
    const std::uint64_t before = test::digest(world);
    world.registry.get<world::Ai>(world.registry.entity_at(1)).cooldown = 1e-300;
    EXPECT_NE(test::digest(world), before);
}

TEST(Determinism, DemoAfterThousandTicksIsGolden) {
    const world::World world = demo(1, 1000);
    EXPECT_GT(world.counters.expired, 1000U);
    EXPECT_EQ(test::digest(world), 11903886959126965701U);
}

TEST(Determinism, BattleAfterThousandTicksIsGolden) {
    const world::World world = battle(1, 1000);
    EXPECT_GT(world.counters.deaths, 100U);
    EXPECT_EQ(test::digest(world), 9859295269737468002U);
}

}  // namespace
}  // namespace evertick
