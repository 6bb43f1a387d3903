#include "server/systems/schedule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "server/world/quarantine.hpp"
#include "server/world/scenario.hpp"
#include "tests/server/world/spawn.hpp"

namespace evertick::systems {
namespace {

using ecs::Entity;
using test::spawn;
using world::Ai;
using world::AiState;
using world::Health;
using world::Lifetime;
using world::Position;
using world::Velocity;
using world::World;

constexpr core::Seconds kPeriod{1.0 / 30};

class Schedule : public testing::Test {
  protected:
    void run(int ticks) {
        for (int i = 0; i < ticks; ++i) step(world_, kPeriod, scratch_);
    }

    World world_{1};
    ecs::Registry& registry_ = world_.registry;
    core::MemStack scratch_;
};

TEST_F(Schedule, HasItsOrder) {
    std::vector<std::string_view> names;
    for (const System& system : schedule()) names.push_back(system.name);
    EXPECT_EQ(names, (std::vector<std::string_view>{"movement", "regeneration", "ai", "combat", "death",
                                                    "lifetime", "sweep", "replenish"}));
}

TEST_F(Schedule, TellsAWatcherWhenEachSystemHasRun) {
    struct Notes final : Watcher {
        void tick_begins() override { rows.clear(); }
        void system_ran(std::size_t row) override { rows.push_back(row); }
        std::vector<std::size_t> rows;
    } notes;
    step(world_, kTick, scratch_, &notes);
    step(world_, kTick, scratch_, &notes);
    ASSERT_EQ(notes.rows.size(), schedule().size());
    for (std::size_t row = 0; row < notes.rows.size(); ++row) EXPECT_EQ(notes.rows[row], row);
}

TEST_F(Schedule, PutsWhatMovementFindsInvalidIntoQuarantineBeforeOthersMeetIt) {
    const Entity prey = spawn(registry_, Position{1, 0, 0}, Velocity{std::nanf(""), 0, 0});
    const Entity hunter = spawn(registry_, Position{}, Velocity{}, Ai{.target = prey}, Health{10, 100});
    run(1);
    EXPECT_TRUE(registry_.has<world::Quarantined>(prey));
    EXPECT_EQ(world_.counters.quarantined, 1U);
    EXPECT_EQ(registry_.get<Ai>(hunter).target, Entity{}) << "nobody to be after";
    EXPECT_TRUE(world::is_valid(registry_.get<Velocity>(hunter)));
    run(3);
    EXPECT_EQ(world_.counters.quarantined, 1U);
}

TEST_F(Schedule, PutsWhatAiMakesInvalidIntoQuarantine) {
    const Entity prey = spawn(registry_, Position{std::nanf(""), 0, 0});
    const Entity hunter = spawn(registry_, Position{}, Velocity{}, Ai{.target = prey}, Health{10, 100});
    run(1);
    EXPECT_EQ(registry_.get<world::Quarantined>(hunter).system(), "ai") << "it fled from nowhere";
    EXPECT_TRUE(registry_.has<world::Quarantined>(prey));
}

TEST_F(Schedule, StepCountsTicks) {
    run(3);
    EXPECT_EQ(world_.tick, 3U);
}

TEST_F(Schedule, ScratchEndsWithTheTick) {
    run(1);
    EXPECT_FALSE(scratch_.has_mark());
}

TEST_F(Schedule, ZeroHealthDiesInThatTickUnrevived) {
    const Entity doomed = spawn(registry_, Health{.current = 0, .max = 100});
    run(1);
    EXPECT_FALSE(registry_.valid(doomed));
    EXPECT_EQ(registry_.alive_count(), 0U);
    ASSERT_EQ(world_.deaths.size(), 1U);
    EXPECT_EQ(world_.deaths[0].entity, doomed);
    EXPECT_EQ(world_.counters.deaths, 1U);
    EXPECT_EQ(world_.counters.destroyed, 1U);
}

TEST_F(Schedule, DeathsAreThoseOfTheLastTickOnly) {
    spawn(registry_, Health{.current = 0});
    run(2);
    EXPECT_TRUE(world_.deaths.empty());
    EXPECT_EQ(world_.counters.deaths, 1U);
}

TEST_F(Schedule, DyingAndExpiringInOneTickIsOneDestruction) {
    spawn(registry_, Health{.current = 0}, Lifetime{.remaining = 0});
    run(1);
    EXPECT_EQ(world_.counters.deaths, 1U);
    EXPECT_EQ(world_.counters.expired, 0U);
    EXPECT_EQ(world_.counters.destroyed, 1U);
}

TEST_F(Schedule, ExpiryIsCounted) {
    spawn(registry_, Lifetime{.remaining = 0.1});
    run(3);
    EXPECT_EQ(world_.counters.expired, 1U);
    EXPECT_EQ(world_.counters.destroyed, 1U);
    EXPECT_EQ(world_.counters.deaths, 0U);
}

TEST_F(Schedule, HoldingAtTheLimitIsCounted) {
    spawn(registry_, Position{.x = world::kWorldLimit}, Velocity{.x = 1000});
    run(2);
    EXPECT_EQ(world_.counters.clamped, 1U);
}

TEST_F(Schedule, RegenerationFollowsTheWorldsInterval) {
    const Entity hurt = spawn(registry_, Health{.current = 50});
    world_.regen_ticks = 10;
    run(30);
    EXPECT_EQ(registry_.get<Health>(hurt).current, 53);
}

TEST_F(Schedule, AFightEndsInDeath) {
    world_.regen_ticks = 30;  // as much in a second as a fifth of a blow
    const Entity prey = spawn(registry_, Position{.x = 4}, Health{.current = 12, .max = 12});
    const Entity hunter = spawn(registry_, Position{}, Velocity{}, Health{}, Ai{.target = prey});
    std::vector<AiState> states;
    for (int tick = 0; tick < 300 && world_.deaths.empty(); ++tick) {
        run(1);
        const AiState now = registry_.get<Ai>(hunter).state;
        if (states.empty() || states.back() != now) states.push_back(now);
    }
    EXPECT_EQ(states, (std::vector{AiState::chase, AiState::attack}));
    ASSERT_EQ(world_.deaths.size(), 1U);
    EXPECT_EQ(world_.deaths[0].killer, hunter);
    EXPECT_FALSE(registry_.valid(prey));
    run(1);
    EXPECT_EQ(registry_.get<Ai>(hunter).state, AiState::idle);
    EXPECT_EQ(registry_.get<Ai>(hunter).target, Entity{});
}

TEST_F(Schedule, APopulationIsKeptUp) {
    world_.wanderers = 50;
    run(1);
    EXPECT_EQ(registry_.count<Lifetime>(), 50U);
    for (int tick = 0; tick < 30 * 200; ++tick) {
        run(1);
        ASSERT_EQ(registry_.count<Lifetime>(), 50U) << "tick " << world_.tick;
    }
    EXPECT_GT(world_.counters.expired, 50U);
    EXPECT_EQ(world_.counters.spawned - world_.counters.destroyed, 50U);
}

TEST(ScheduleIndex, EverySystemTellsWhatItMovesOrBringsAnewInItsTurn) {
    World world(1);
    core::MemStack scratch;
    world.max_entities = 300;
    world::load_demo(world);
    for (int tick = 0; tick < 100; ++tick) {
        const core::MemMark mark(scratch);
        Frame frame{world, {1.0}, scratch};
        for (const System& system : schedule()) {
            SCOPED_TRACE(system.name);
            system.run(frame);
            world.spatial_index.refresh(world.registry, scratch);
            world.spatial_index.check_invariants(world.registry);
        }
    }
    EXPECT_GT(world.counters.expired, 100U);
    EXPECT_EQ(world.spatial_index.rebuilds(), 100U) << "movement is the only one that moves everybody";
}

TEST(ScheduleDeathTest, ATickTakesTime) {
    World world(1);
    core::MemStack scratch;
    EXPECT_DEATH(step(world, {0}, scratch), "takes time");
}

}  // namespace
}  // namespace evertick::systems
