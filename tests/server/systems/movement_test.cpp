#include "server/systems/movement.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/server/world/spawn.hpp"

namespace evertick::systems {
namespace {

using test::spawn;
using world::kWorldLimit;
using world::Position;
using world::Velocity;

constexpr core::Seconds kHalfSecond{0.5};

TEST(Movement, AddsVelocityTimesDt) {
    ecs::Registry registry;
    const auto walker = spawn(registry, Position{1, 2, 3}, Velocity{2, -4, 0});
    EXPECT_EQ(movement(registry, kHalfSecond).held, 0U);
    const Position& position = registry.get<Position>(walker);
    EXPECT_EQ(position.x, 2);
    EXPECT_EQ(position.y, 0);
    EXPECT_EQ(position.z, 3);
}

TEST(Movement, LeavesAloneWhoLacksEither) {
    ecs::Registry registry;
    const auto tree = spawn(registry, Position{1, 2, 3});
    const auto wind = spawn(registry, Velocity{1, 1, 1});
    movement(registry, kHalfSecond);
    EXPECT_EQ(registry.get<Position>(tree).x, 1);
    EXPECT_EQ(registry.get<Velocity>(wind).x, 1);
}

TEST(Movement, HoldsAtTheLimitAndStopsThatAxisOnly) {
    ecs::Registry registry;
    const auto runaway =
        spawn(registry, Position{kWorldLimit - 2, 0, -kWorldLimit + 2}, Velocity{1000, 3, -1000});
    EXPECT_EQ(movement(registry, kHalfSecond).held, 1U);
    const Position& position = registry.get<Position>(runaway);
    EXPECT_EQ(position.x, kWorldLimit);
    EXPECT_EQ(position.y, 1.5F);
    EXPECT_EQ(position.z, -kWorldLimit);
    const Velocity& velocity = registry.get<Velocity>(runaway);
    EXPECT_EQ(velocity.x, 0);
    EXPECT_EQ(velocity.y, 3);
    EXPECT_EQ(velocity.z, 0);
}

TEST(Movement, CountsWhoIsHeldOnce) {
    ecs::Registry registry;
    spawn(registry, Position{kWorldLimit, 0, 0}, Velocity{1000, 0, 0});
    EXPECT_EQ(movement(registry, kHalfSecond).held, 1U);
    EXPECT_EQ(movement(registry, kHalfSecond).held, 0U) << "it stands still at the limit now";
}

TEST(Movement, MayReachTheLimitExactly) {
    ecs::Registry registry;
    const auto traveller = spawn(registry, Position{kWorldLimit - 4, 0, 0}, Velocity{8, 0, 0});
    EXPECT_EQ(movement(registry, kHalfSecond).held, 0U);
    EXPECT_EQ(registry.get<Position>(traveller).x, kWorldLimit);
    EXPECT_EQ(registry.get<Velocity>(traveller).x, 8);
}

TEST(Movement, LeavesAndCountsWhatIsNotValid) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    for (const float speed : {kNan, kInfinity, -kInfinity, 1e38F}) {
        ecs::Registry registry;
        const auto broken = spawn(registry, Position{1, 2, 3}, Velocity{0, speed, 0});
        const Moved moved = movement(registry, core::Seconds{1});
        EXPECT_EQ(moved.invalid, 1U) << speed;
        EXPECT_EQ(moved.held, 0U) << speed;
        EXPECT_EQ(registry.get<Position>(broken).y, 2) << speed;
    }
}

TEST(Movement, CountsWhoIsNowhere) {
    ecs::Registry registry;
    spawn(registry, Position{std::numeric_limits<float>::quiet_NaN(), 0, 0}, Velocity{});
    EXPECT_EQ(movement(registry, kHalfSecond).invalid, 1U);
}

}  // namespace
}  // namespace evertick::systems
