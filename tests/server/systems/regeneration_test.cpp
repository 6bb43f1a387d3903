#include "server/systems/regeneration.hpp"

#include <gtest/gtest.h>

#include "tests/server/world/spawn.hpp"

namespace evertick::systems {
namespace {

using world::Health;

// The health of one entity after one tick of that number.
std::int32_t after(Health health, core::Tick tick = 1, core::Tick regen_ticks = 1) {
    ecs::Registry registry;
    const auto entity = test::spawn(registry, health);
    regeneration(registry, tick, regen_ticks);
    return registry.get<Health>(entity).current;
}

TEST(Regeneration, AddsOneUpToMax) {
    EXPECT_EQ(after({.current = 50, .max = 100}), 51);
    EXPECT_EQ(after({.current = 99, .max = 100}), 100);
    EXPECT_EQ(after({.current = 100, .max = 100}), 100);
}

TEST(Regeneration, NeverLowers) { EXPECT_EQ(after({.current = 150, .max = 100}), 150); }

TEST(Regeneration, NeverRevives) { EXPECT_EQ(after({.current = 0, .max = 100}), 0); }

TEST(Regeneration, ComesEverySoManyTicks) {
    EXPECT_EQ(after({.current = 50}, 9, 5), 50);
    EXPECT_EQ(after({.current = 50}, 10, 5), 51);
    EXPECT_EQ(after({.current = 50}, 11, 5), 50);
}

TEST(RegenerationDeathTest, NeedsAnInterval) { EXPECT_DEATH(after({}, 1, 0), "every so many ticks"); }

}  // namespace
}  // namespace evertick::systems
