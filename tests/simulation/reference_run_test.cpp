// The reference run (W9): three entities whose course is known, tick by tick.

#include <gtest/gtest.h>

#include <cmath>

#include "core/mem_stack.hpp"
#include "server/systems/schedule.hpp"
#include "server/world/components.hpp"
#include "server/world/distance.hpp"
#include "server/world/scenario.hpp"
#include "tests/server/world/spawn.hpp"

namespace evertick {
namespace {

using ecs::Entity;
using world::Ai;
using world::AiState;
using world::Position;
using world::Velocity;

class ReferenceRun : public testing::Test {
  protected:
    ReferenceRun() {
        world::load_reference(world_);
        player_ = registry_.entity_at(0);
        enemy_ = registry_.entity_at(1);
        tree_ = registry_.entity_at(2);
    }

    void tick() { systems::step(world_, core::Seconds{0.016}, scratch_); }
    const Position& position(Entity entity) { return registry_.get<Position>(entity); }

    world::World world_{1};
    ecs::Registry& registry_ = world_.registry;
    core::MemStack scratch_;
    Entity player_, enemy_, tree_;
};

TEST_F(ReferenceRun, StartsWhereItShould) {
    EXPECT_EQ(position(player_).x, 0);
    EXPECT_EQ(position(player_).z, 0);
    EXPECT_EQ(position(enemy_).x, 5);
    EXPECT_EQ(position(enemy_).z, 5);
    EXPECT_EQ(position(tree_).x, 10);
    EXPECT_EQ(position(tree_).z, 10);
}

TEST_F(ReferenceRun, ThePlayerWalks) {
    constexpr float kCourse[][2] = {{0.016F, 0.008F}, {0.032F, 0.016F}, {0.048F, 0.024F}};
    for (const auto& [x, z] : kCourse) {
        tick();
        EXPECT_FLOAT_EQ(position(player_).x, x);
        EXPECT_EQ(position(player_).y, 0);
        EXPECT_FLOAT_EQ(position(player_).z, z);
    }
}

TEST_F(ReferenceRun, TheEnemyChases) {
    tick();
    EXPECT_EQ(registry_.get<Ai>(enemy_).state, AiState::chase);
    EXPECT_NEAR(
        std::sqrt(world::squared_distance(world::point(position(enemy_)), world::point(position(player_)))),
        7.05, 0.005);
    const Velocity& velocity = registry_.get<Velocity>(enemy_);
    EXPECT_NEAR(std::hypot(velocity.x, velocity.y, velocity.z), 2, 1e-6);
    EXPECT_LT(velocity.x, 0) << "toward the player";
    EXPECT_LT(velocity.z, 0) << "toward the player";
}

TEST_F(ReferenceRun, TheTreeMovesOnceItHasVelocity) {
    for (int i = 0; i < 3; ++i) tick();
    EXPECT_EQ(position(tree_).z, 10);
    registry_.emplace<Velocity>(tree_, Velocity{0, 0, 0.1F});
    tick();
    EXPECT_FLOAT_EQ(position(tree_).z, 10.0016F);
}

TEST_F(ReferenceRun, TheDestroyedEnemysIndexIsReusedWithTheNextGeneration) {
    registry_.destroy(enemy_);
    EXPECT_FALSE(registry_.valid(enemy_));
    EXPECT_EQ(registry_.try_get<Position>(enemy_), nullptr);
    const Entity next = registry_.create();
    EXPECT_EQ(next.index(), 1U);
    EXPECT_EQ(next.generation(), 1U);
    EXPECT_FALSE(registry_.valid(enemy_)) << "the old handle is not the new entity";
}

TEST_F(ReferenceRun, TheEnemyCatchesThePlayerAndKillsIt) {
    registry_.get<Velocity>(player_) = {};
    world_.regen_ticks = 100;
    int ticks = 0;
    while (registry_.valid(player_) && ++ticks < 10'000) tick();
    EXPECT_FALSE(registry_.valid(player_)) << "after " << ticks << " ticks";
    ASSERT_EQ(world_.deaths.size(), 1U);
    EXPECT_EQ(world_.deaths[0].killer, enemy_);
    tick();
    EXPECT_EQ(registry_.get<Ai>(enemy_).state, AiState::idle);
}

}  // namespace
}  // namespace evertick
