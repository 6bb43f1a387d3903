#include "server/systems/ai.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "server/world/distance.hpp"
#include "tests/server/world/spawn.hpp"

namespace evertick::systems {
namespace {

using ecs::Entity;
using test::spawn;
using world::Ai;
using world::AiState;
using world::Health;
using world::Position;
using world::Velocity;

// A hunter at the origin, and what it hunts along x.
class AiSystem : public testing::Test {
  protected:
    Entity prey(float x) { return spawn(registry_, Position{.x = x}); }
    Entity hunter(const Ai& mind, Velocity velocity = {}, Health health = {}) {
        return spawn(registry_, Position{}, velocity, health, mind);
    }
    AiState state(Entity entity) const { return registry_.try_get<Ai>(entity)->state; }
    const Velocity& velocity(Entity entity) const { return *registry_.try_get<Velocity>(entity); }

    ecs::Registry registry_;
};

TEST_F(AiSystem, WithoutTargetIsIdle) {
    const Entity self = hunter({.state = AiState::chase});
    ai(registry_);
    EXPECT_EQ(state(self), AiState::idle);
}

TEST_F(AiSystem, ForgetsATargetThatIsGone) {
    const Entity target = prey(5);
    const Entity self = hunter({.state = AiState::chase, .target = target}, {.x = 2});
    registry_.destroy(target);
    ai(registry_);
    EXPECT_EQ(state(self), AiState::idle);
    EXPECT_EQ(registry_.get<Ai>(self).target, Entity{});
    EXPECT_EQ(velocity(self).x, 0);
}

TEST_F(AiSystem, ForgetsATargetMarkedForDestruction) {
    const Entity target = prey(5);
    const Entity self = hunter({.target = target});
    registry_.destroy_later(target);
    ai(registry_);
    EXPECT_EQ(state(self), AiState::idle);
    EXPECT_EQ(registry_.get<Ai>(self).target, Entity{});
}

TEST_F(AiSystem, ForgetsATargetWhoseIndexSomebodyElseHas) {
    const Entity target = prey(5);
    const Entity self = hunter({.target = target});
    registry_.destroy(target);
    ASSERT_EQ(prey(5).index(), target.index());
    ai(registry_);
    EXPECT_EQ(state(self), AiState::idle);
}

TEST_F(AiSystem, ForgetsATargetWithoutHealthLeft) {
    const Entity target = spawn(registry_, Position{.x = 5}, Health{.current = 0});
    const Entity self = hunter({.target = target});
    ai(registry_);
    EXPECT_EQ(state(self), AiState::idle);
    EXPECT_EQ(registry_.get<Ai>(self).target, Entity{});
}

TEST_F(AiSystem, ForgetsATargetWithoutPosition) {
    const Entity self = hunter({.target = spawn(registry_)});
    ai(registry_);
    EXPECT_EQ(state(self), AiState::idle);
    EXPECT_EQ(registry_.get<Ai>(self).target, Entity{});
}

TEST_F(AiSystem, IsNotAfterItself) {
    const Entity self = hunter({});
    registry_.get<Ai>(self).target = self;
    ai(registry_);
    EXPECT_EQ(state(self), AiState::idle);
    EXPECT_EQ(registry_.get<Ai>(self).target, Entity{});
}

TEST_F(AiSystem, AttacksStandingStillWithinReach) {
    const Entity self = hunter({.target = prey(1.5F)}, {.x = 2});
    ai(registry_);
    EXPECT_EQ(state(self), AiState::attack);
    EXPECT_EQ(velocity(self).x, 0);
}

TEST_F(AiSystem, ChasesWithinDetectionRange) {
    const Entity self = hunter({.target = prey(10)});
    ai(registry_);
    EXPECT_EQ(state(self), AiState::chase);
    EXPECT_FLOAT_EQ(velocity(self).x, 2);
    EXPECT_EQ(velocity(self).y, 0);
}

TEST_F(AiSystem, ChasesAtTwoUnitsASecondInAnyDirection) {
    const Entity self = hunter({.target = spawn(registry_, Position{2, -3, 6})});
    ai(registry_);
    EXPECT_FLOAT_EQ(velocity(self).x, 2.0F * 2 / 7);
    EXPECT_FLOAT_EQ(velocity(self).y, 2.0F * -3 / 7);
    EXPECT_FLOAT_EQ(velocity(self).z, 2.0F * 6 / 7);
}

TEST_F(AiSystem, IsIdleBeyondDetectionRangeAndKeepsItsTarget) {
    const Entity target = prey(10.1F);
    const Entity self = hunter({.target = target});
    ai(registry_);
    EXPECT_EQ(state(self), AiState::idle);
    EXPECT_EQ(registry_.get<Ai>(self).target, target);
}

TEST_F(AiSystem, StopsOnceWhenItLosesSight) {
    const Entity self = hunter({.state = AiState::chase, .target = prey(50)}, {.x = 2});
    ai(registry_);
    EXPECT_EQ(velocity(self).x, 0);
    registry_.get<Velocity>(self).x = 1;  // somebody sets it in motion again
    ai(registry_);
    EXPECT_EQ(velocity(self).x, 1);
}

TEST_F(AiSystem, FleesBelowAFifthOfItsHealth) {
    const Entity self = hunter({.target = prey(5)}, {}, {.current = 19, .max = 100});
    ai(registry_);
    EXPECT_EQ(state(self), AiState::flee);
    EXPECT_FLOAT_EQ(velocity(self).x, -3);
}

TEST_F(AiSystem, StandsItsGroundAtAFifthOfItsHealth) {
    const Entity self = hunter({.target = prey(5)}, {}, {.current = 20, .max = 100});
    ai(registry_);
    EXPECT_EQ(state(self), AiState::chase);
}

TEST_F(AiSystem, FleesRatherThanAttacksHoweverFarTheTargetIs) {
    const Entity close = hunter({.target = prey(1)}, {}, {.current = 1});
    const Entity far = hunter({.target = prey(500)}, {}, {.current = 1});
    ai(registry_);
    EXPECT_EQ(state(close), AiState::flee);
    EXPECT_EQ(state(far), AiState::flee);
}

TEST_F(AiSystem, FleesAlongXFromWhoeverStandsOnItsFeet) {
    const Entity self = hunter({.target = prey(0)}, {}, {.current = 1});
    ai(registry_);
    EXPECT_EQ(velocity(self).x, -3);
    EXPECT_EQ(velocity(self).z, 0);
}

TEST_F(AiSystem, ComesBackFromFleeingOnceHealed) {
    const Entity self = hunter({.state = AiState::flee, .target = prey(5)}, {}, {.current = 30});
    ai(registry_);
    EXPECT_EQ(state(self), AiState::chase);
}

TEST_F(AiSystem, WithoutHealthNeverFlees) {
    const Entity self = spawn(registry_, Position{}, Ai{.target = prey(1)});
    ai(registry_);
    EXPECT_EQ(state(self), AiState::attack);
}

TEST_F(AiSystem, WithoutVelocityDecidesButStaysPut) {
    const Entity self = spawn(registry_, Position{}, Ai{.target = prey(5)});
    ai(registry_);
    EXPECT_EQ(state(self), AiState::chase);
    EXPECT_FALSE(registry_.has<Velocity>(self));
}

TEST_F(AiSystem, WithoutPositionIsLeftAlone) {
    const Entity self = spawn(registry_, Ai{.state = AiState::flee, .target = prey(5)});
    ai(registry_);
    EXPECT_EQ(state(self), AiState::flee);
}

}  // namespace
}  // namespace evertick::systems
