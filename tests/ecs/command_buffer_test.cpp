// What a command buffer records, applies, and skips.

#include "ecs/command_buffer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <ostream>
#include <stdexcept>
#include <utility>

#include "tests/core/heap_counter.hpp"
#include "tests/core/tracked.hpp"
#include "tests/ecs/parts.hpp"
#include "tests/ecs/printing.hpp"

namespace evertick::ecs {

static void PrintTo(const CommandBuffer::Outcome& outcome, std::ostream* out) {
    *out << outcome.applied << " applied, " << outcome.skipped << " skipped";
}

namespace {

using test::Name;
using test::Position;
using test::Tracked;
using test::Treasure;
using ::testing::ElementsAre;
using Outcome = CommandBuffer::Outcome;

struct CommandBufferTest : ::testing::Test {
    Registry registry;
    CommandBuffer commands;
    Entity wolf = registry.create();
};

TEST_F(CommandBufferTest, ChangesNothingUntilItIsApplied) {
    registry.emplace<Name>(wolf, "wolf");
    commands.create();
    commands.emplace<Position>(wolf, 1.0F, 2.0F);
    commands.remove<Name>(wolf);
    EXPECT_EQ(commands.size(), 3U);
    EXPECT_EQ(registry.alive_count(), 1U);
    EXPECT_EQ(commands.apply(registry), (Outcome{3, 0}));
    EXPECT_TRUE(commands.empty());
    EXPECT_EQ(registry.alive_count(), 2U);
    EXPECT_EQ(registry.get<Position>(wolf), (Position{1, 2}));
    EXPECT_FALSE(registry.has<Name>(wolf));
    EXPECT_EQ(commands.apply(registry), Outcome{}) << "everything once";
}

TEST_F(CommandBufferTest, EntitiesItCreatesCanBeNamed) {
    const auto bone = commands.create();
    const auto skull = commands.create();
    commands.emplace<Name>(skull, "skull");
    commands.emplace<Name>(bone, "bone");
    commands.destroy(bone);
    EXPECT_EQ(commands.apply(registry), (Outcome{5, 0}));
    ASSERT_THAT(commands.created(), ElementsAre(Entity::from(1, 0), Entity::from(2, 0)));
    EXPECT_FALSE(registry.valid(commands.created()[0]));
    EXPECT_EQ(registry.get<Name>(commands.created()[1]).text, "skull");
}

TEST_F(CommandBufferTest, WhatIsStaleByThenIsSkippedAndMeetsNobodyElse) {
    commands.emplace<Name>(wolf, "wolf");
    commands.remove<Name>(wolf);
    commands.destroy(wolf);
    registry.destroy(wolf);
    const Entity next = registry.create();
    ASSERT_EQ(next.index(), wolf.index());
    registry.emplace<Name>(next, "the next tenant");
    EXPECT_EQ(commands.apply(registry), (Outcome{0, 3}));
    EXPECT_EQ(registry.get<Name>(next).text, "the next tenant");
}

TEST_F(CommandBufferTest, AddingAndRemovingTwiceIsSkipped) {
    commands.emplace<Name>(wolf, "first");
    commands.emplace<Name>(wolf, "second");
    EXPECT_EQ(commands.apply(registry), (Outcome{1, 1}));
    EXPECT_EQ(registry.get<Name>(wolf).text, "first");
    commands.remove<Name>(wolf);
    commands.remove<Name>(wolf);
    commands.destroy(wolf);
    commands.destroy(wolf);
    EXPECT_EQ(commands.apply(registry), (Outcome{2, 2}));
}

TEST_F(CommandBufferTest, CommandsComeInTheOrderOfRecording) {
    commands.emplace<Name>(wolf, "first");
    commands.remove<Name>(wolf);
    commands.emplace<Name>(wolf, "second");
    EXPECT_EQ(commands.apply(registry), (Outcome{3, 0}));
    EXPECT_EQ(registry.get<Name>(wolf).text, "second");
}

TEST_F(CommandBufferTest, CanBeFilledFromAConstViewAndCarriesMoveOnlyComponents) {
    registry.emplace<Position>(wolf);
    for (auto [entity, position] : std::as_const(registry).view<Position>())
        commands.emplace<Treasure>(entity, std::make_unique<int>(7));
    commands.apply(registry);
    EXPECT_EQ(*registry.get<Treasure>(wolf).gold, 7);
}

TEST_F(CommandBufferTest, WhatListenersRecordMeanwhileIsAppliedToo) {
    const Connection echo = registry.on_construct<Position>().connect([&](Registry&, Entity, Position&) {
        commands.emplace<Name>(commands.create(), "born of a position");
    });
    commands.emplace<Position>(wolf);
    EXPECT_EQ(commands.apply(registry), (Outcome{3, 0}));
    EXPECT_EQ(registry.count<Name>(), 1U);
}

TEST_F(CommandBufferTest, ConstructorsAndDestructorsBalance) {
    Tracked::reset();
    commands.emplace<Tracked>(wolf, 1);
    commands.emplace<Tracked>(wolf, 2);
    EXPECT_EQ(Tracked::counts.live(), 2);
    commands.apply(registry);
    EXPECT_EQ(Tracked::counts.live(), 1);
    commands.emplace<Tracked>(wolf, 3);
    commands = {};
    registry.destroy(wolf);
    EXPECT_EQ(Tracked::counts.live(), 0);
}

TEST_F(CommandBufferTest, AThrowingConstructorRecordsNothing) {
    Tracked::reset();
    Tracked::counts.throw_after = 0;
    EXPECT_THROW(commands.emplace<Tracked>(wolf, 1), std::runtime_error);
    Tracked::reset();
    EXPECT_TRUE(commands.empty());
    EXPECT_EQ(commands.apply(registry), Outcome{});
}

TEST_F(CommandBufferTest, AllocatesNothingInTheLongRun) {
    const auto round = [&] {
        const auto created = commands.create();
        commands.emplace<Position>(created);
        commands.emplace<Position>(wolf);
        commands.remove<Position>(wolf);
        commands.destroy(created);
        EXPECT_EQ(commands.apply(registry), (Outcome{5, 0}));
    };
    for (int i = 0; i < 3; ++i) round();
    const std::size_t before = test::heap_allocations();
    for (int i = 0; i < 10; ++i) round();
    EXPECT_EQ(test::heap_allocations(), before);
}

// created_ gets its memory at the first create(), which fails here at each allocation in turn.
TEST_F(CommandBufferTest, WhatACreateThatFailedWasToGetIsSkippedAndMeetsNobodyElse) {
    bool failed = true;
    for (std::size_t others = 0; failed; ++others) {
        Registry world;
        CommandBuffer buffer;
        const auto bone = buffer.create();
        const auto skull = buffer.create();
        buffer.emplace<Name>(bone, "bone");
        buffer.emplace<Name>(skull, "skull");
        {
            const test::FailingHeap heap(others);
            while (!buffer.empty()) try {
                    buffer.apply(world);
                } catch (const std::bad_alloc&) {
                }
            failed = test::FailingHeap::has_failed();
        }
        for (const auto [entity, name] : std::as_const(world).view<Name>())
            EXPECT_EQ(entity == buffer.created()[1], name.text == "skull") << "allocation " << others;
        world.check_invariants();
    }
}

using CommandBufferDeathTest = CommandBufferTest;

TEST_F(CommandBufferDeathTest, ANameOfAnotherBufferAborts) {
    CommandBuffer other;
    const auto bone = other.create();
    EXPECT_DEATH(commands.destroy(bone), "by another buffer");
    commands.create();
    EXPECT_DEATH(commands.destroy(bone), "by another buffer");
}

TEST_F(CommandBufferDeathTest, MisuseAborts) {
    const auto old = commands.create();
    commands.apply(registry);
    EXPECT_DEATH(commands.destroy(old), "created in another round");
    const Connection again = registry.on_construct<Position>().connect(
        [&](Registry& where, Entity, Position&) { commands.apply(where); });
    commands.emplace<Position>(wolf);
    EXPECT_DEATH(commands.apply(registry), "CommandBuffer::apply: it is being applied");
}

}  // namespace
}  // namespace evertick::ecs
