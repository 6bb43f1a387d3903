// destroy_later(), pending(), sweep(): invalid at once, readable until swept, each dies once.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
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
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Three entities with a name each: "0", "1", "2".
struct DeferredDestroy : ::testing::Test {
    Registry registry;
    std::vector<Entity> entities;
    DeferredDestroy() {
        registry.create(3, std::back_inserter(entities));
        for (const Entity entity : entities) registry.emplace<Name>(entity, std::to_string(entity.index()));
    }
    std::vector<Entity> visited() {
        std::vector<Entity> seen;
        for (auto [entity, name] : registry.view<Name>()) seen.push_back(entity);
        return seen;
    }
};

TEST_F(DeferredDestroy, TheDoomedAreInvalidAtOnce) {
    EXPECT_TRUE(registry.destroy_later(entities[1]));
    EXPECT_FALSE(registry.valid(entities[1]));
    EXPECT_FALSE(registry.has<Name>(entities[1]));
    EXPECT_EQ(registry.try_get<Name>(entities[1]), nullptr);
    EXPECT_EQ(registry.mask(entities[1]), 0U);
    EXPECT_FALSE(registry.remove<Name>(entities[1]));
    EXPECT_EQ(registry.entity_at(1), Entity::null);
    EXPECT_EQ(registry.alive_count(), 2U);
    registry.check_invariants();
}

TEST_F(DeferredDestroy, CountsAndViewsDoNotSeeTheDoomed) {
    registry.destroy_later(entities[1]);
    EXPECT_EQ(registry.count<Name>(), 2U);
    EXPECT_EQ(registry.view<Name>().size_hint(), 2U);
    EXPECT_THAT(visited(), ElementsAre(entities[0], entities[2]));
    int calls = 0;
    registry.view<Name>().each([&](Name&) { ++calls; });
    EXPECT_EQ(calls, 2);
}

TEST_F(DeferredDestroy, ViewsThatWalkAnotherPoolDoNotSeeTheDoomedEither) {
    for (int i = 0; i < 4; ++i) registry.emplace<Position>(registry.create());
    for (const Entity entity : entities) registry.emplace<Position>(entity);
    registry.destroy_later(entities[1]);
    std::vector<Entity> seen;
    registry.view<Position, Name>().each([&](Entity entity, Position&, Name&) { seen.push_back(entity); });
    EXPECT_THAT(seen, ElementsAre(entities[0], entities[2]));
}

TEST_F(DeferredDestroy, TheDoomedCanBeReadUntilTheSweep) {
    registry.destroy_later(entities[2]);
    registry.destroy_later(entities[0]);
    ASSERT_THAT(registry.pending(), ElementsAre(entities[2], entities[0]));
    EXPECT_EQ(registry.try_get_pending<Name>(entities[2])->text, "2");
    EXPECT_EQ(registry.try_get_pending<Name>(entities[0])->text, "0");
    EXPECT_EQ(registry.try_get_pending<Position>(entities[0]), nullptr) << "it had none";
    EXPECT_EQ(registry.try_get_pending<Name>(entities[1]), nullptr) << "it is alive";
    EXPECT_EQ(registry.sweep(), 2U);
    EXPECT_THAT(registry.pending(), IsEmpty());
    EXPECT_EQ(registry.try_get_pending<Name>(entities[0]), nullptr);
    registry.check_invariants();
}

TEST_F(DeferredDestroy, MovesNothing) {
    const Name* const doomed = &registry.get<Name>(entities[0]);
    const Name* const last = &registry.get<Name>(entities[2]);
    registry.destroy_later(entities[0]);
    EXPECT_EQ(registry.try_get_pending<Name>(entities[0]), doomed);
    EXPECT_EQ(&registry.get<Name>(entities[2]), last);
}

TEST_F(DeferredDestroy, EachDiesOnce) {
    EXPECT_TRUE(registry.destroy_later(entities[1]));
    EXPECT_FALSE(registry.destroy_later(entities[1]));
    EXPECT_FALSE(registry.destroy(entities[1]));
    EXPECT_EQ(registry.sweep(), 1U);
    EXPECT_EQ(registry.sweep(), 0U);
}

TEST_F(DeferredDestroy, TheSlotIsReusedOnlyAfterTheSweep) {
    registry.destroy_later(entities[0]);
    registry.destroy_later(entities[1]);
    EXPECT_EQ(registry.create(), Entity::from(3, 0));
    registry.sweep();
    EXPECT_EQ(registry.create(), Entity::from(1, 1)) << "the one swept last is reused first";
    EXPECT_EQ(registry.create(), Entity::from(0, 1));
}

TEST_F(DeferredDestroy, ComponentsCanBeAddedAndRemovedAroundTheDoomed) {
    registry.destroy_later(entities[0]);
    registry.destroy_later(entities[2]);
    const Entity late = registry.create();
    registry.emplace<Name>(late, "late");
    registry.destroy(entities[1]);  // the last moves into its place; the doomed keep theirs or are led to
    registry.check_invariants();
    EXPECT_EQ(registry.try_get_pending<Name>(entities[0])->text, "0");
    EXPECT_EQ(registry.try_get_pending<Name>(entities[2])->text, "2");
    EXPECT_THAT(visited(), ElementsAre(late));
    registry.sweep();
    registry.check_invariants();
    EXPECT_EQ(registry.get<Name>(late).text, "late");
}

TEST_F(DeferredDestroy, TagsOfTheDoomedAreHiddenToo) {
    for (const Entity entity : entities) registry.emplace<Frozen>(entity);
    registry.destroy_later(entities[0]);
    EXPECT_EQ(registry.count<Frozen>(), 2U);
    EXPECT_NE(registry.try_get_pending<Frozen>(entities[0]), nullptr);
    registry.sweep();
    registry.check_invariants();
}

TEST_F(DeferredDestroy, ComponentsAreDestructedByTheSweep) {
    test::Tracked::reset();
    registry.emplace<test::Tracked>(entities[1], 1);
    registry.destroy_later(entities[1]);
    EXPECT_EQ(test::Tracked::counts.live(), 1);
    registry.sweep();
    EXPECT_EQ(test::Tracked::counts.live(), 0);
}

using DeferredDestroyDeathTest = DeferredDestroy;

TEST_F(DeferredDestroyDeathTest, EmplaceOnTheDoomedAborts) {
    registry.destroy_later(entities[0]);
    EXPECT_DEATH(registry.emplace<Position>(entities[0]), "the handle is stale");
}

}  // namespace
}  // namespace evertick::ecs
