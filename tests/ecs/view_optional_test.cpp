// Types that entities of a view may have.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

#include "ecs/registry.hpp"
#include "tests/ecs/parts.hpp"
#include "tests/ecs/printing.hpp"

namespace evertick::ecs {
namespace {

using test::Frozen;
using test::Name;
using test::Position;
using test::Velocity;
using ::testing::ElementsAre;

// 100 entities with a position; those of `kFast` have a velocity, of `kCold` they are frozen.
struct OptionalViews : ::testing::Test {
    Registry registry;
    std::vector<Entity> entities;
    OptionalViews() {
        registry.create(100, std::back_inserter(entities));
        for (const Entity entity : entities) {
            registry.emplace<Position>(entity, number(entity), 0.0F);
            if (is_fast(entity)) registry.emplace<Velocity>(entity, number(entity), 0.0F);
            if (is_cold(entity)) registry.emplace<Frozen>(entity);
        }
    }
    static float number(Entity entity) { return static_cast<float>(entity.index()); }
    static bool is_fast(Entity entity) { return entity.index() < 40 || entity.index() % 3 == 0; }
    static bool is_cold(Entity entity) { return entity.index() >= 60; }
};

TEST_F(OptionalViews, HandOutAPointerOrNullptr) {
    std::uint32_t next = 0;
    registry.view<Position, Optional<Velocity>, Optional<const Frozen>>().each(
        [&](Entity entity, Position& position, Velocity* velocity, const Frozen* frozen) {
            ASSERT_EQ(entity.index(), next++) << "in the order of positions";
            ASSERT_EQ(velocity != nullptr, is_fast(entity)) << to_text(entity);
            if (velocity != nullptr) {
                ASSERT_EQ(velocity->x, position.x) << to_text(entity);
            }
            ASSERT_EQ(frozen != nullptr, is_cold(entity)) << to_text(entity);
        });
    EXPECT_EQ(next, 100U);
}

TEST_F(OptionalViews, AreInputRangesToo) {
    std::uint32_t next = 0;
    for (auto [entity, velocity, position] : registry.view<Optional<const Velocity>, Position>()) {
        static_assert(std::is_same_v<decltype(velocity), const Velocity*>);
        static_assert(std::is_same_v<decltype(position), Position&>);
        ASSERT_EQ(entity.index(), next++);
        ASSERT_EQ(velocity, registry.try_get<Velocity>(entity)) << to_text(entity);
    }
    EXPECT_EQ(next, 100U);
}

TEST_F(OptionalViews, OfAConstRegistryGiveConstPointers) {
    const Registry& constant = registry;
    int with = 0;
    int named = 0;
    for (auto [entity, position, velocity, name] :
         constant.view<Position, Optional<Velocity>, Optional<Name>>()) {
        static_assert(std::is_same_v<decltype(velocity), const Velocity*>);
        with += velocity != nullptr ? 1 : 0;
        named += name != nullptr ? 1 : 0;
    }
    EXPECT_EQ(with, 60);
    EXPECT_EQ(named, 0) << "a type that nobody ever had";
}

TEST_F(OptionalViews, HaveNoSayInWhoIsShownNorInWhichOrder) {
    registry.remove<Position>(entities[0]);
    EXPECT_EQ((registry.view<Optional<Frozen>, Position>().size_hint()), 99U);
    int calls = 0;
    registry.view<Position, Optional<Velocity>>(exclude<Frozen>).each([&](Position&, Velocity*) { ++calls; });
    EXPECT_EQ(calls, 59);
}

TEST_F(OptionalViews, JudgeEachEntityWhenItsTurnComes) {
    std::vector<std::uint32_t> without;
    registry.view<Position, Optional<Velocity>>().each([&](Entity entity, Position&, Velocity* velocity) {
        if (entity.index() >= 10) return;
        if (velocity == nullptr) without.push_back(entity.index());
        if (entity.index() == 2) registry.remove<Velocity>(entities[4]);
        if (entity.index() == 5) registry.remove<Velocity>(entities[4 + 3]);
        if (entity.index() == 6) registry.emplace<Velocity>(entities[4 + 3]);
    });
    EXPECT_THAT(without, ElementsAre(4));
}

TEST_F(OptionalViews, HoldTheirComponentsInPlace) {
    registry.view<Position, Optional<Velocity>>().each([&](Entity entity, Position&, Velocity* velocity) {
        if (entity.index() != 3) return;
        const Velocity* const last = registry.try_get<Velocity>(entities[99]);
        registry.destroy(entity);
        registry.remove<Velocity>(entities[0]);
        EXPECT_EQ(velocity->x, 3) << "readable until the end";
        EXPECT_EQ(registry.try_get<Velocity>(entities[99]), last);
    });
    registry.check_invariants();
}

}  // namespace
}  // namespace evertick::ecs
