#include "server/systems/lifetime.hpp"

#include <gtest/gtest.h>

#include "tests/server/world/spawn.hpp"

namespace evertick::systems {
namespace {

using ecs::Entity;
using test::spawn;
using world::Lifetime;

// How many ticks an entity of that lifetime is alive after.
int ticks_lived(double seconds, core::Seconds dt) {
    ecs::Registry registry;
    const Entity entity = spawn(registry, Lifetime{.remaining = seconds});
    for (int ticks = 0; ticks < 100'000; ++ticks) {
        if (!registry.valid(entity)) return ticks;
        lifetime(registry, dt);
    }
    return -1;
}

TEST(LifetimeSystem, EndsAfterItsSeconds) {
    EXPECT_EQ(ticks_lived(0.5, {0.25}), 2);
    EXPECT_EQ(ticks_lived(0.6, {0.25}), 3) << "never early";
}

TEST(LifetimeSystem, RoundingCostsNoExtraTick) {
    EXPECT_EQ(ticks_lived(1, {1.0 / 30}), 30);
    EXPECT_EQ(ticks_lived(10, {1.0 / 60}), 600);
    EXPECT_EQ(ticks_lived(60, {1.0 / 1000}), 60'000);
    EXPECT_EQ(ticks_lived(0.048, {0.016}), 3);
}

TEST(LifetimeSystem, OfZeroEndsAtTheFirstTick) { EXPECT_EQ(ticks_lived(0, {1.0 / 30}), 1); }

TEST(LifetimeSystem, CountsWhoExpired) {
    ecs::Registry registry;
    spawn(registry, Lifetime{.remaining = 1});
    spawn(registry, Lifetime{.remaining = 1});
    const Entity longer = spawn(registry, Lifetime{.remaining = 2});
    EXPECT_EQ(lifetime(registry, {1}), 2U);
    EXPECT_EQ(registry.get<Lifetime>(longer).remaining, 1);
}

TEST(LifetimeSystem, DoesNotCountWhoDiedBefore) {
    ecs::Registry registry;
    const Entity dead = spawn(registry, Lifetime{.remaining = 0});
    registry.destroy_later(dead);
    EXPECT_EQ(lifetime(registry, {1}), 0U);
}

}  // namespace
}  // namespace evertick::systems
