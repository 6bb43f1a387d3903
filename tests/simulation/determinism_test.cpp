// The same calls give the same world, on every compiler at every level. The numbers were computed once; a
// change of behaviour changes them and must say so.

#include <gtest/gtest.h>

#include "core/mem_stack.hpp"
#include "server/systems/schedule.hpp"
#include "server/world/components.hpp"
#include "server/world/scenario.hpp"
#include "server/world/state_hash.hpp"
#include "tests/simulation/battlefield.hpp"

namespace evertick {
namespace {

constexpr core::Seconds kTick{1.0 / 30};

void run(world::World& world, int ticks) {
    core::MemStack scratch;
    for (int i = 0; i < ticks; ++i) systems::step(world, kTick, scratch);
}

std::uint64_t hash(const world::World& world) { return world::state_hash(world).whole; }

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
    EXPECT_EQ(hash(demo(42, 100)), hash(demo(42, 100)));
    EXPECT_EQ(hash(battle(42, 100)), hash(battle(42, 100)));
}

TEST(Determinism, AnotherSeedGivesAnotherWorld) { EXPECT_NE(hash(demo(42, 10)), hash(demo(43, 10))); }

TEST(Determinism, DemoAfterThousandTicksIsGolden) {
    const world::World world = demo(1, 1000);
    EXPECT_GT(world.counters.expired, 1000U);
    EXPECT_EQ(hash(world), 363414038280927587U);
}

TEST(Determinism, BattleAfterThousandTicksIsGolden) {
    const world::World world = battle(1, 1000);
    EXPECT_GT(world.counters.deaths, 100U);
    EXPECT_EQ(hash(world), 8377823258015366288U);
}

}  // namespace
}  // namespace evertick
