// Cloning entities, and adding a component to many at once.

#include <gtest/gtest.h>

#include <iterator>
#include <memory>
#include <stdexcept>
#include <vector>

#include "ecs/registry.hpp"
#include "tests/core/tracked.hpp"
#include "tests/ecs/parts.hpp"
#include "tests/ecs/printing.hpp"

namespace evertick::ecs {
namespace {

using test::Frozen;
using test::Name;
using test::Position;
using test::Tracked;
using test::Treasure;
using test::Velocity;

TEST(Clone, CopiesEveryComponentOnce) {
    Registry registry;
    const Entity wolf = registry.create();
    registry.emplace<Name>(wolf, "a wolf with a name that is long");
    registry.emplace<Position>(wolf, 1.0F, 2.0F);
    registry.emplace<Frozen>(wolf);
    const Entity copy = registry.clone(wolf);
    EXPECT_EQ(copy, Entity::from(1, 0));
    EXPECT_EQ(registry.mask(copy), registry.mask(wolf));
    EXPECT_EQ(registry.get<Name>(copy), registry.get<Name>(wolf));
    registry.get<Position>(copy).x = 7;
    EXPECT_EQ(registry.get<Position>(wolf), (Position{1, 2})) << "each has its own";
    registry.check_invariants();
}

TEST(Clone, OfAStaleHandleIsNull) {
    Registry registry;
    const Entity wolf = registry.create();
    registry.destroy_later(wolf);
    EXPECT_EQ(registry.clone(wolf), Entity::null);
    EXPECT_EQ(registry.clone(Entity::null), Entity::null);
    EXPECT_EQ(registry.alive_count(), 0U);
}

TEST(Clone, ThatThrowsLeavesNobodyBehind) {
    Tracked::reset();
    Registry registry;
    const Entity wolf = registry.create();
    registry.emplace<Name>(wolf);
    registry.emplace<Tracked>(wolf, 1);
    Tracked::counts.throw_after = 0;
    EXPECT_THROW(registry.clone(wolf), std::runtime_error);
    Tracked::counts.throw_after = -1;
    EXPECT_EQ(registry.alive_count(), 1U);
    EXPECT_EQ(registry.count<Name>(), 1U);
    EXPECT_EQ(Tracked::counts.live(), 1);
    registry.check_invariants();
}

TEST(Clone, CopiesWhatListenersHaveLeft) {
    Registry registry;
    const Entity wolf = registry.create();
    registry.emplace<Position>(wolf, 1.0F, 2.0F);
    registry.emplace<Velocity>(wolf, 3.0F, 4.0F);
    const auto kill = [&](Registry& where, Entity entity, auto&) {
        if (entity != wolf) where.destroy(wolf);
    };
    const Connection first = registry.on_construct<Position>().connect(kill);
    const Connection second = registry.on_construct<Velocity>().connect(kill);
    const Entity copy = registry.clone(wolf);
    EXPECT_FALSE(registry.valid(wolf));
    EXPECT_TRUE(registry.has<Position>(copy) != registry.has<Velocity>(copy)) << "the other one was gone";
    registry.check_invariants();
}

// Says that it can be copied, and cannot.
struct Hoard {
    std::vector<std::unique_ptr<int>> coins;
};

}  // namespace

template <>
inline constexpr bool kIsCopyable<Hoard> = false;

namespace {

TEST(CloneDeathTest, WhatCannotBeCopiedAborts) {
    Registry registry;
    const Entity chest = registry.create();
    registry.emplace<Treasure>(chest);
    EXPECT_DEATH(registry.clone(chest), "Registry::clone: a component cannot be copied");
    const Entity dragon = registry.create();
    registry.emplace<Hoard>(dragon);
    EXPECT_DEATH(registry.clone(dragon), "Registry::clone: a component cannot be copied");
}

TEST(EmplaceRange, GivesEachEntityOne) {
    Registry registry;
    std::vector<Entity> entities;
    registry.create(3000, std::back_inserter(entities));
    registry.emplace<Position>(entities, 1.0F, 2.0F);
    registry.emplace<Frozen>(entities);
    EXPECT_EQ(registry.count<Position>(), 3000U);
    EXPECT_EQ(registry.get<Position>(entities.back()), (Position{1, 2}));
    EXPECT_EQ((registry.view<Position, Frozen>().size_hint()), 3000U);
}

TEST(EmplaceRange, ThatThrowsLeavesThoseBefore) {
    Tracked::reset();
    Registry registry;
    std::vector<Entity> entities;
    registry.create(5, std::back_inserter(entities));
    Tracked::counts.throw_after = 3;
    EXPECT_THROW(registry.emplace<Tracked>(entities, 7), std::runtime_error);
    Tracked::counts.throw_after = -1;
    EXPECT_EQ(registry.count<Tracked>(), 3U);
    EXPECT_TRUE(registry.has<Tracked>(entities[2]));
    EXPECT_FALSE(registry.has<Tracked>(entities[3]));
    registry.check_invariants();
}

TEST(EmplaceRangeDeathTest, OntoOneThatHasItAborts) {
    Registry registry;
    const Entity wolf = registry.create();
    EXPECT_DEATH(registry.emplace<Position>(std::vector{wolf, wolf}), "has this component already");
}

}  // namespace
}  // namespace evertick::ecs
