#include "server/world/spatial_index.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "core/debug.hpp"
#include "core/mem_stack.hpp"
#include "tests/server/world/crowd.hpp"

namespace evertick::world {
namespace {

using ecs::Entity;
using test::settle;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr Near kEverywhere{{}, 4 * kWorldLimit};
constexpr std::size_t kPlane = 0, kCube = 1;  // in kSpreads

class SpatialIndexTest : public testing::Test {
  protected:
    Entity at(float x) { return settle(world_, Position{.x = x}); }
    template <class Shape>
    std::vector<Entity> found(const Shape& shape) {
        refresh();
        std::vector<Entity> entities;
        index().each_in(world_.registry, shape, [&](Entity entity) { entities.push_back(entity); });
        return entities;
    }
    // Also counts who was looked at closely enough to be asked whether it is acceptable.
    std::vector<Entity> nearest(const Vector3& centre, std::size_t count) {
        refresh();
        Neighbours kept(stack_, count);
        index().find_nearest(world_.registry, centre, kept, [&](Entity) {
            ++looks_;
            return true;
        });
        std::vector<Entity> entities;
        for (const Neighbour& each : kept.sorted(stack_)) entities.push_back(each.entity);
        return entities;
    }
    void refresh() { index().refresh(world_.registry, stack_); }
    SpatialIndex& index() { return world_.spatial_index; }

    World world_{1};
    core::MemStack stack_;
    core::MemMark mark_{stack_};
    std::size_t looks_ = 0;
};

TEST_F(SpatialIndexTest, OfNobodyFindsNobody) {
    EXPECT_THAT(found(kEverywhere), IsEmpty());
    EXPECT_THAT(nearest({}, 3), IsEmpty());
    EXPECT_EQ(index().bound(kEverywhere, 10), 0U);
}

TEST_F(SpatialIndexTest, KnowsOnlyWhoHasAPosition) {
    world_.registry.create();
    const Entity placed = at(1);
    EXPECT_THAT(found(kEverywhere), ElementsAre(placed));
}

TEST_F(SpatialIndexTest, IsMadeOnceForManyQuestions) {
    at(1);
    for (int i = 0; i < 5; ++i) found(kEverywhere);
    EXPECT_EQ(index().rebuilds(), 1U);
    index().invalidate();
    found(kEverywhere);
    EXPECT_EQ(index().rebuilds(), 2U);
}

TEST_F(SpatialIndexTest, CostsNothingUntilItIsAsked) {
    for (int i = 0; i < 1000; ++i) {
        at(1);
        index().invalidate();
    }
    EXPECT_EQ(index().rebuilds(), 0U);
    EXPECT_EQ(index().allocated_bytes(), 0U);
}

TEST_F(SpatialIndexTest, FindsATouchedOneWithoutBeingMadeAnew) {
    const Entity moved = at(1);
    refresh();
    const Entity newcomer = at(101);
    world_.registry.get<Position>(moved).x = 100;
    index().touch(moved);
    EXPECT_THAT(found(Near{{.x = 100}, 5}), UnorderedElementsAre(moved, newcomer));
    EXPECT_THAT(found(Near{{.x = 1}, 5}), IsEmpty());
    EXPECT_EQ(index().rebuilds(), 1U);
}

TEST_F(SpatialIndexTest, FindsOneTouchedManyTimesOnce) {
    const Entity moved = at(1);
    refresh();
    const Entity newcomer = at(2);
    for (int i = 0; i < 10; ++i) {
        index().touch(moved);
        index().touch(newcomer);
    }
    EXPECT_THAT(found(kEverywhere), UnorderedElementsAre(moved, newcomer));
    EXPECT_THAT(nearest({}, 5), ElementsAre(moved, newcomer));
}

TEST_F(SpatialIndexTest, DoesNotFindTheDestroyedTheDoomedAndTheUnplaced) {
    const Entity destroyed = at(1), doomed = at(2), unplaced = at(3), left = at(4);
    refresh();
    world_.registry.destroy(destroyed);
    world_.registry.destroy_later(doomed);
    world_.registry.remove<Position>(unplaced);
    EXPECT_THAT(found(kEverywhere), ElementsAre(left));
    EXPECT_THAT(nearest({}, 5), ElementsAre(left));
    EXPECT_EQ(index().rebuilds(), 1U) << "nobody told it";
}

TEST_F(SpatialIndexTest, DoesNotTakeANewTenantForTheFormerOne) {
    const Entity former = at(1);
    refresh();
    world_.registry.destroy(former);
    const Entity bare = world_.registry.create();
    ASSERT_EQ(bare.index(), former.index());
    EXPECT_THAT(found(kEverywhere), IsEmpty());
    world_.registry.emplace<Position>(bare, Position{.x = 50});
    index().touch(bare);
    EXPECT_THAT(found(Near{{.x = 1}, 5}), IsEmpty());
    EXPECT_THAT(found(Near{{.x = 50}, 5}), ElementsAre(bare));
}

TEST_F(SpatialIndexTest, IsMadeAnewWhenManyWereTouched) {
    test::settle_many(world_, 10'000, test::kSpreads[kPlane]);
    refresh();
    const std::size_t limit = SpatialIndex::kChangeFactor * 100;
    for (std::size_t i = 0; i < limit; ++i) at(1);
    refresh();
    EXPECT_EQ(index().rebuilds(), 1U);
    at(1);
    refresh();
    EXPECT_EQ(index().rebuilds(), 2U);
}

TEST_F(SpatialIndexTest, IsMadeAnewWhenManyAreGone) {
    test::settle_many(world_, 10'000, test::kSpreads[kPlane]);
    refresh();
    for (std::size_t i = 0; i < 5000; ++i) {
        world_.registry.destroy(world_.registry.entity_at(i));
        if (i % 10 == 0) refresh();
    }
    EXPECT_GT(index().rebuilds(), 5U);
    EXPECT_LT(index().rebuilds(), 50U) << "not for each of them";
}

TEST_F(SpatialIndexTest, NearestLooksAtFewOfMany) {
    for (const test::Spread& spread : {test::kSpreads[kPlane], test::kSpreads[kCube]}) {
        test::settle_many(world_, 20'000, spread);
        looks_ = 0;
        EXPECT_EQ(nearest({.x = 3, .y = 2, .z = 1}, 10).size(), 10U);
        EXPECT_LT(looks_, 150U) << spread.name;
    }
}

TEST_F(SpatialIndexTest, NearestLooksAtFewEvenWhenAllStandInOnePoint) {
    std::vector<Entity> first;
    for (int i = 0; i < 20'000; ++i) {
        const Entity entity = at(7);
        if (i < 10) first.push_back(entity);
    }
    EXPECT_EQ(nearest({}, 10), first) << "of equals the lowest index comes first";
    EXPECT_LT(looks_, 500U);
}

TEST_F(SpatialIndexTest, StragglersDoNotBlurTheCrowd) {
    settle(world_, Position{kWorldLimit, kWorldLimit, kWorldLimit});
    settle(world_, Position{-kWorldLimit, 0, -kWorldLimit});
    test::settle_many(world_, 20'000, test::kSpreads[kPlane]);
    refresh();
    const Near hundred{{.x = 20, .z = -30}, 40};
    const std::size_t inside = found(hundred).size();
    ASSERT_NEAR(static_cast<double>(inside), 100, 50);
    EXPECT_LT(index().bound(hundred, 20'000), 5 * inside);
}

TEST_F(SpatialIndexTest, BoundStopsCountingWhenItIsEnough) {
    test::settle_many(world_, 20'000, test::kSpreads[kPlane]);
    refresh();
    EXPECT_EQ(index().bound(kEverywhere, 20'000), 20'000U);
    const std::size_t bound = index().bound(kEverywhere, 100);
    EXPECT_GT(bound, 100U);
    EXPECT_LE(bound, 100 + SpatialIndex::kFanOut);
}

TEST_F(SpatialIndexTest, TakesAboutTwentyTwoBytesAnEntityAndGivesThemBack) {
    test::settle_many(world_, 100'000, test::kSpreads[kPlane]);
    refresh();
    EXPECT_LT(index().allocated_bytes(), 100'000 * 22 * 9 / 8 + 100'000U);
    for (std::size_t i = 1000; i < 100'000; ++i) world_.registry.destroy(world_.registry.entity_at(i));
    refresh();
    EXPECT_LT(index().allocated_bytes(), 100'000U);
}

TEST_F(SpatialIndexTest, TheSameCallsGiveTheSameOrder) {
    World other(1);
    test::settle_many(world_, 5000, test::kSpreads[kCube]);
    test::settle_many(other, 5000, test::kSpreads[kCube]);
    other.spatial_index.refresh(other.registry, stack_);
    std::vector<Entity> in_other;
    other.spatial_index.each_in(other.registry, kEverywhere,
                                [&](Entity entity) { in_other.push_back(entity); });
    EXPECT_EQ(found(kEverywhere), in_other);
}

using SpatialIndexDeathTest = SpatialIndexTest;

TEST_F(SpatialIndexDeathTest, ForgettingToTellIsFoundInDebugBuilds) {
    if constexpr (!core::kDebugBuild) GTEST_SKIP() << "checked in debug builds only";
    const Entity moved = at(1);
    refresh();
    world_.registry.get<Position>(moved).x = 2;
    EXPECT_DEATH(refresh(), "everyone who moved was touched");
    index().invalidate();
    refresh();
    world_.registry.emplace<Position>(world_.registry.create());
    EXPECT_DEATH(refresh(), "everyone who came was touched");
}

}  // namespace
}  // namespace evertick::world
