#include "server/systems/combat.hpp"

#include <gtest/gtest.h>

#include "tests/server/world/spawn.hpp"

namespace evertick::systems {
namespace {

using ecs::Entity;
using test::spawn;
using world::Ai;
using world::AiState;
using world::Health;
using world::Position;

constexpr core::Seconds kTick{1.0 / 30};

class Combat : public testing::Test {
  protected:
    Entity victim(std::int32_t health) { return spawn(registry_, Position{}, Health{.current = health}); }
    Entity attacker(Entity target, Health health = {}) {
        return spawn(registry_, Position{}, health, Ai{.state = AiState::attack, .target = target});
    }
    std::int32_t health(Entity entity) { return registry_.get<Health>(entity).current; }
    void fight(int ticks) {
        for (int i = 0; i < ticks; ++i) combat(registry_, kTick, deaths_);
    }

    ecs::Registry registry_;
    core::ChunkedArray<world::DeathEvent> deaths_;
};

TEST_F(Combat, ABlowTakesFive) {
    const Entity target = victim(100);
    attacker(target);
    fight(1);
    EXPECT_EQ(health(target), 95);
    EXPECT_TRUE(deaths_.empty());
}

TEST_F(Combat, BlowsAreASecondApart) {
    const Entity target = victim(100);
    attacker(target);
    fight(30);
    EXPECT_EQ(health(target), 95) << "29 ticks after the first blow";
    fight(1);
    EXPECT_EQ(health(target), 90) << "30 ticks after the first blow";
    fight(30 * 10);
    EXPECT_EQ(health(target), 40) << "ten seconds later";
}

TEST_F(Combat, CooldownRunsWhileNotAttacking) {
    const Entity target = victim(100);
    const Entity self =
        spawn(registry_, Position{}, Ai{.state = AiState::chase, .target = target, .cooldown = 0.5});
    fight(15);
    EXPECT_EQ(registry_.get<Ai>(self).cooldown, 0);
    EXPECT_EQ(health(target), 100);
}

TEST_F(Combat, OnlyWhoAttacksStrikes) {
    const Entity target = victim(100);
    for (const AiState state : {AiState::idle, AiState::chase, AiState::flee})
        spawn(registry_, Position{}, Ai{.state = state, .target = target});
    fight(1);
    EXPECT_EQ(health(target), 100);
}

TEST_F(Combat, TheLastBlowNamesItsKiller) {
    const Entity target = victim(4);
    const Entity self = attacker(target);
    fight(1);
    EXPECT_EQ(health(target), 0) << "never below zero";
    ASSERT_EQ(deaths_.size(), 1U);
    EXPECT_EQ(deaths_[0].entity, target);
    EXPECT_EQ(deaths_[0].killer, self);
}

TEST_F(Combat, OneDeathHasOneKiller) {
    const Entity target = victim(5);
    for (int i = 0; i < 3; ++i) attacker(target);
    fight(1);
    EXPECT_EQ(deaths_.size(), 1U);
}

TEST_F(Combat, BlowsOfOneTickAreSimultaneous) {
    const Entity first = attacker({}, {.current = 5});
    const Entity second = attacker(first, {.current = 5});
    registry_.get<Ai>(first).target = second;
    fight(1);
    EXPECT_EQ(health(first), 0);
    EXPECT_EQ(health(second), 0);
    EXPECT_EQ(deaths_.size(), 2U);
}

TEST_F(Combat, WhatHasNoHealthFeelsNothing) {
    const Entity self = attacker(spawn(registry_, Position{}));
    fight(1);
    EXPECT_TRUE(deaths_.empty());
    EXPECT_EQ(registry_.get<Ai>(self).cooldown, kAttackCooldown);
}

TEST_F(Combat, NeverHitsWhoHasTheIndexOfTheDead) {
    const Entity old = victim(100);
    registry_.destroy(old);
    const Entity reused = victim(100);
    ASSERT_EQ(reused.index(), old.index());
    attacker(old);
    fight(1);
    EXPECT_EQ(health(reused), 100);
}

}  // namespace
}  // namespace evertick::systems
