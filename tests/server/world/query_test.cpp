#include "server/world/query.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "core/mem_stack.hpp"
#include "server/world/components.hpp"
#include "tests/server/world/spawn.hpp"

namespace evertick::world {
namespace {

using ecs::Entity;
using test::spawn;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::size_t kNoLimit = 1'000'000;

ComponentMask mask_of(std::string_view name) { return ComponentMask{1} << find_component(name).value(); }

FieldCondition condition(std::string_view component, std::string_view field_name, core::Comparison op,
                         std::string_view value) {
    const ComponentIndex index = find_component(component).value();
    const core::Field* const field = component_types()[index].find(field_name);
    return {index, field, op, core::parse_value(*field, component, value).value()};
}

class Query : public testing::Test {
  protected:
    Entity at(float x) { return spawn(world_.registry, Position{.x = x}); }
    Selection selected(const Filter& filter, std::size_t limit = kNoLimit, std::uint64_t cursor = 0) {
        world_.spatial_index.invalidate();  // the tests write positions straight into the registry
        return select(world_, filter, limit, cursor, stack_);
    }
    std::size_t counted(const Filter& filter) {
        world_.spatial_index.invalidate();
        return count(world_, filter, stack_);
    }
    // The indices of a selection, which are the order of spawning.
    std::vector<std::uint32_t> indices(const Filter& filter, std::size_t limit = kNoLimit) {
        std::vector<std::uint32_t> found;
        for (const Entity entity : selected(filter, limit).entities) found.push_back(entity.index());
        return found;
    }
    // So many that the index, not the few who are asked for, gives the candidates: 12 rows of 12, 1 m apart.
    void fill_lattice() {
        for (int z = 0; z < 12; ++z)
            for (int x = 0; x < 12; ++x)
                spawn(world_.registry, Position{.x = static_cast<float>(x), .z = static_cast<float>(z)});
    }

    World world_{1};
    core::MemStack stack_;
    core::MemMark mark_{stack_};
};

TEST_F(Query, OfAnEmptyFilterIsEveryone) {
    const Entity a = at(1);
    const Entity b = spawn(world_.registry);
    EXPECT_TRUE(Filter{}.empty());
    EXPECT_THAT(selected({}).entities, ElementsAre(a, b));
    EXPECT_EQ(counted({}), 2U);
}

TEST_F(Query, OfAnEmptyWorldIsNobody) {
    const Selection found = selected({}, 0);
    EXPECT_THAT(found.entities, IsEmpty());
    EXPECT_EQ(found.cursor, 0U);
    EXPECT_EQ(counted({}), 0U);
}

TEST_F(Query, WithNeedsAllAndWithoutNone) {
    const Entity still = at(1);
    const Entity moving = spawn(world_.registry, Position{}, Velocity{});
    spawn(world_.registry, Velocity{});
    EXPECT_THAT(selected({.with = mask_of("position") | mask_of("velocity")}).entities, ElementsAre(moving));
    EXPECT_THAT(selected({.with = mask_of("position"), .without = mask_of("velocity")}).entities,
                ElementsAre(still));
    EXPECT_EQ(counted({.with = mask_of("velocity")}), 2U);
}

TEST_F(Query, FlagsNeedsAllOfThem) {
    const auto flagged = [&](std::uint32_t bits) { return spawn(world_.registry, Flags{.set = {bits}}); };
    flagged(0b001);
    const Entity both = flagged(0b011);
    const Entity more = flagged(0b111);
    at(1);
    EXPECT_THAT(selected({.flags = 0b011}).entities, ElementsAre(both, more));
}

TEST_F(Query, WhereNeedsEveryCondition) {
    const Entity weak = spawn(world_.registry, Health{.current = 5});
    spawn(world_.registry, Health{.current = 50});
    spawn(world_.registry, Health{.current = 1});
    const std::array conditions{condition("health", "current", core::Comparison::less, "20"),
                                condition("health", "current", core::Comparison::greater_equal, "5")};
    EXPECT_THAT(selected({.where = conditions}).entities, ElementsAre(weak));
}

TEST_F(Query, NotEqualDoesNotMatchWhoLacksTheComponent) {
    at(1);
    const Entity hurt = spawn(world_.registry, Health{.current = 5});
    const std::array conditions{condition("health", "current", core::Comparison::not_equal, "100")};
    EXPECT_THAT(selected({.where = conditions}).entities, ElementsAre(hurt));
}

TEST_F(Query, NearIncludesTheBorderAndComesNearestFirst) {
    const Entity border = at(3);
    at(3.01F);
    const Entity close = at(-1);
    spawn(world_.registry);
    const Filter filter{.region = Near{{}, 3}};
    EXPECT_TRUE(filter.ordered_by_distance());
    EXPECT_THAT(selected(filter).entities, ElementsAre(close, border));
    EXPECT_EQ(counted(filter), 2U);
}

TEST_F(Query, NearWithALimitKeepsTheNearest) {
    at(3);
    const Entity second = at(2);
    const Entity first = at(1);
    at(4);
    EXPECT_THAT(selected({.region = Near{{}, 100}}, 2).entities, ElementsAre(first, second));
}

TEST_F(Query, TiesComeByIndex) {
    const Entity a = at(1);
    const Entity b = at(-1);
    at(1);
    EXPECT_THAT(selected({.region = Nearest{{}, 2}}).entities, ElementsAre(a, b));
}

TEST_F(Query, DistancesAcrossTheWorldAreToldApart) {
    const Entity farther = spawn(world_.registry, Position{.x = kWorldLimit, .y = 1});
    const Entity nearer = spawn(world_.registry, Position{.x = kWorldLimit});
    EXPECT_THAT(selected({.region = Nearest{{.x = -kWorldLimit}, 2}}).entities, ElementsAre(nearer, farther));
}

TEST_F(Query, BoxTakesCornersInAnyOrderAndIncludesItsBorder) {
    const Entity corner = spawn(world_.registry, Position{.x = 1, .y = 1, .z = 1});
    const Entity inside = spawn(world_.registry, Position{.x = 0, .y = 0.5F, .z = -1});
    spawn(world_.registry, Position{.x = 0, .y = 0, .z = 1.1F});
    const Filter filter{.region = Box{{1, -1, 1}, {-1, 1, -1}}};
    EXPECT_FALSE(filter.ordered_by_distance());
    EXPECT_THAT(selected(filter).entities, ElementsAre(corner, inside));
}

TEST_F(Query, NearestCountsNoMoreThanItAsksFor) {
    for (int i = 0; i < 5; ++i) at(1);
    EXPECT_EQ(counted({.region = Nearest{{}, 3}}), 3U);
    EXPECT_EQ(counted({.region = Nearest{{}, 4'000'000'000}}), 5U);
}

TEST_F(Query, TheDoomedNeverAppear) {
    const Entity doomed = at(1);
    const Entity alive = at(2);
    world_.registry.destroy_later(doomed);
    EXPECT_FALSE(matches(world_, doomed, {}));
    EXPECT_THAT(selected({}).entities, ElementsAre(alive));
    EXPECT_THAT(selected({.region = Nearest{{}, 9}}).entities, ElementsAre(alive));
    EXPECT_EQ(counted({}), 1U);
    EXPECT_EQ(counted({.with = mask_of("position")}), 1U);
}

TEST_F(Query, StaleHandlesMatchNothing) {
    const Entity old = at(1);
    world_.registry.destroy(old);
    const Entity reused = at(2);
    ASSERT_EQ(old.index(), reused.index());
    EXPECT_FALSE(matches(world_, old, {}));
    EXPECT_TRUE(matches(world_, reused, {}));
}

TEST_F(Query, CursorWalksEveryoneOnce) {
    std::vector<Entity> everyone, seen;
    for (int i = 0; i < 10; ++i) everyone.push_back(at(1));
    std::uint64_t cursor = 0;
    do {
        const Selection page = selected({}, 3, cursor);
        seen.insert(seen.end(), page.entities.begin(), page.entities.end());
        cursor = page.cursor;
    } while (cursor != 0);
    EXPECT_EQ(seen, everyone);
}

TEST_F(Query, CursorBeyondTheEndFindsNobodyAndIsFinished) {
    at(1);
    const Selection found = selected({}, 10, std::uint64_t{1} << 53);
    EXPECT_THAT(found.entities, IsEmpty());
    EXPECT_EQ(found.cursor, 0U);
}

TEST_F(Query, CursorOfSurvivorsHoldsWhileOthersComeAndGo) {
    const Entity a = at(1), b = at(2), c = at(3);
    const Selection first = selected({}, 1);
    EXPECT_THAT(first.entities, ElementsAre(a));
    world_.registry.destroy(a);
    const Entity newcomer = at(4);  // takes a's place, before the cursor
    EXPECT_EQ(newcomer.index(), a.index());
    EXPECT_THAT(selected({}, 10, first.cursor).entities, ElementsAre(b, c));
}

TEST_F(Query, NearOrdersByDistanceAndThenByIndex) {
    fill_lattice();
    const Filter filter{.region = Near{{.x = 5, .z = 5}, 2}};
    const std::vector<std::uint32_t> expected{65, 53, 64, 66, 77, 52, 54, 76, 78, 41, 63, 67, 89};
    EXPECT_EQ(indices(filter), expected);
    EXPECT_EQ(indices(filter, 7), std::vector(expected.begin(), expected.begin() + 7));
    EXPECT_EQ(indices({.region = Nearest{{.x = 5, .z = 5}, 13}}), expected);
    EXPECT_EQ(counted(filter), expected.size());
}

TEST_F(Query, BoxOrdersByIndexAndPagesThroughIt) {
    fill_lattice();
    const Filter filter{.region = Box{{.x = 3, .z = 2}, {.x = 1, .z = 4}}};
    const std::vector<std::uint32_t> expected{25, 26, 27, 37, 38, 39, 49, 50, 51};
    EXPECT_EQ(indices(filter), expected);
    const Selection first = selected(filter, 4);
    const Selection second = selected(filter, 5, first.cursor);
    EXPECT_EQ(first.entities.back().index(), 37U);
    EXPECT_EQ(first.cursor, 38U);
    EXPECT_EQ(second.entities.front().index(), 38U);
    EXPECT_EQ(second.entities.size(), 5U);
}

TEST_F(Query, FewOfAKindAreFoundWithoutTheIndex) {
    fill_lattice();
    const Entity far = spawn(world_.registry, Position{.x = 3}, Ai{});
    const Entity close = spawn(world_.registry, Position{.x = 1}, Ai{});
    const Filter filter{.with = mask_of("ai"), .region = Near{{}, 100}};
    EXPECT_THAT(selected(filter).entities, ElementsAre(close, far));
    EXPECT_THAT(selected({.with = mask_of("ai"), .region = Nearest{{}, 1}}).entities, ElementsAre(close));
    EXPECT_EQ(counted(filter), 2U);
    EXPECT_EQ(world_.spatial_index.rebuilds(), 0U);
}

using QueryDeathTest = Query;

TEST_F(QueryDeathTest, DistanceOrderTakesNoCursor) {
    EXPECT_DEATH(selected({.region = Near{{}, 1}}, 10, 5), "no cursor");
}

}  // namespace
}  // namespace evertick::world
