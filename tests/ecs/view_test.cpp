// Which entities a view shows, in which order, and in which forms.

#include "ecs/view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>
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

// Six entities: position in all but 1, velocity in the even ones, 4 frozen.
struct Views : ::testing::Test {
    Registry registry;
    std::vector<Entity> entities;
    Views() {
        registry.create(6, std::back_inserter(entities));
        for (const Entity entity : entities) {
            const auto number = static_cast<float>(entity.index());
            if (entity.index() != 1) registry.emplace<Position>(entity, number, number);
            if (entity.index() % 2 == 0) registry.emplace<Velocity>(entity, number, 0.0F);
        }
        registry.emplace<Frozen>(entities[4]);
    }
    std::vector<std::uint32_t> seen;  // indices, as visited
};

TEST_F(Views, ShowsEntitiesThatHaveAll) {
    registry.view<Position, Velocity>().each(
        [&](Entity entity, const Position& position, const Velocity& velocity) {
            EXPECT_EQ(position.x, velocity.x) << "both of entity " << entity.index();
            seen.push_back(entity.index());
        });
    EXPECT_THAT(seen, ElementsAre(0, 2, 4));
}

TEST_F(Views, NumberTheirTypesInTheOrderInWhichTheyNameThem) {
    struct First {};
    struct Second {};
    struct Third {};
    static_cast<void>(registry.view<First, Second, Third>());
    EXPECT_LT(component_id<First>(), component_id<Second>()) << "whichever compiler evaluates the arguments";
    EXPECT_LT(component_id<Second>(), component_id<Third>());
}

TEST_F(Views, LeavesOutTheExcluded) {
    registry.view<Position>(exclude<Velocity>).each([&](Entity entity, Position&) {
        seen.push_back(entity.index());
    });
    EXPECT_THAT(seen, ElementsAre(3, 5));
    seen.clear();
    registry.view<Velocity>(exclude<Frozen, Name>).each([&](Entity entity, Velocity&) {
        seen.push_back(entity.index());
    });
    EXPECT_THAT(seen, ElementsAre(0, 2));
}

TEST_F(Views, CallsBackWithOrWithoutTheEntity) {
    float sum = 0;
    registry.view<Position>().each([&](const Position& position) { sum += position.x; });
    EXPECT_EQ(sum, 14);
    registry.view<Position>().each(
        [&](Entity entity, const Position&) { sum -= static_cast<float>(entity.index()); });
    EXPECT_EQ(sum, 0);
}

TEST_F(Views, RangeForYieldsEntityAndReferences) {
    for (auto [entity, position, velocity] : registry.view<Position, const Velocity>()) {
        static_assert(std::is_same_v<decltype(position), Position&>);
        static_assert(std::is_same_v<decltype(velocity), const Velocity&>);
        position.y = velocity.x + 100;
        seen.push_back(entity.index());
    }
    EXPECT_THAT(seen, ElementsAre(0, 2, 4));
    EXPECT_EQ(registry.get<Position>(entities[4]).y, 104);
    EXPECT_EQ(registry.get<Position>(entities[5]).y, 5);
}

TEST_F(Views, WalksTheSmallestPoolInItsOrder) {
    registry.remove<Velocity>(entities[0]);  // the last takes its place: 4, 2
    registry.view<Position, Velocity>().each(
        [&](Entity entity, Position&, Velocity&) { seen.push_back(entity.index()); });
    EXPECT_THAT(seen, ElementsAre(4, 2));
    EXPECT_EQ((registry.view<Position, Velocity>().size_hint()), 2U);
    EXPECT_EQ((registry.view<Position, Velocity, Frozen>().size_hint()), 1U);
}

TEST_F(Views, OfEqualPoolsTheFirstNamedIsWalked) {
    for (const int i : {4, 2, 0}) registry.emplace<Name>(entities[static_cast<std::size_t>(i)]);
    for (auto [entity, velocity, name] : registry.view<Velocity, Name>()) seen.push_back(entity.index());
    EXPECT_THAT(seen, ElementsAre(0, 2, 4));
    seen.clear();
    for (auto [entity, name, velocity] : registry.view<Name, Velocity>()) seen.push_back(entity.index());
    EXPECT_THAT(seen, ElementsAre(4, 2, 0));
}

TEST_F(Views, HandsOutTagsToo) {
    for (auto [entity, frozen, position] : registry.view<Frozen, Position>()) seen.push_back(entity.index());
    registry.view<Position, Frozen>().each([&](Position& position, Frozen&) { position.x = -1; });
    EXPECT_THAT(seen, ElementsAre(4));
    EXPECT_EQ(registry.get<Position>(entities[4]).x, -1);
}

TEST_F(Views, OfAConstRegistryGivesConstComponents) {
    const Registry& constant = registry;
    for (auto [entity, position] : constant.view<Position>()) {
        static_assert(std::is_same_v<decltype(position), const Position&>);
        seen.push_back(entity.index());
    }
    EXPECT_THAT(seen, ElementsAre(0, 2, 3, 4, 5));
    int calls = 0;
    constant.view<Position, Velocity>(exclude<Frozen>).each([&](const Position&, const Velocity&) {
        ++calls;
    });
    EXPECT_EQ(calls, 2);
}

TEST_F(Views, OfTypesThatNobodyHasIsEmpty) {
    const Registry& constant = registry;
    EXPECT_EQ((constant.view<Position, Name>().size_hint()), 0U);
    for ([[maybe_unused]] auto row : constant.view<Position, Name>()) ADD_FAILURE() << "nobody has a name";
    constant.view<Name>().each([](const Name&) { ADD_FAILURE() << "nobody has a name"; });
    registry.view<Name, Position>().each([](Name&, Position&) { ADD_FAILURE() << "nobody has a name"; });
    int calls = 0;
    constant.view<Position>(exclude<Name>).each([&](const Position&) { ++calls; });
    EXPECT_EQ(calls, 5);
}

TEST_F(Views, MadeBeforeItsFirstComponentSeesIt) {
    const auto view = registry.view<Name>();
    registry.emplace<Name>(entities[3]);
    for (auto [entity, name] : view) seen.push_back(entity.index());
    EXPECT_THAT(seen, ElementsAre(3));
}

TEST_F(Views, IsAnInputRangeForAlgorithms) {
    auto view = registry.view<Velocity>();
    static_assert(std::ranges::input_range<decltype(view)>);
    EXPECT_EQ(std::ranges::distance(view), 3);
    const auto fast = std::ranges::find_if(view, [](const auto& row) { return std::get<1>(row).x > 1; });
    EXPECT_EQ(std::get<0>(*fast), entities[2]);
}

TEST_F(Views, ARangeOfItsEntitiesCanBeDestroyed) {
    EXPECT_EQ(registry.destroy(registry.view<Velocity>() | std::views::elements<0>), 3U);
    registry.check_invariants();
    EXPECT_EQ(registry.count<Velocity>(), 0U);
    EXPECT_EQ(registry.alive_count(), 3U);
}

// Components of different sizes have chunks of different lengths; both borders are crossed here.
TEST(View, WalksAcrossChunks) {
    struct Large {
        std::uint32_t number = 0;
        char rest[1000] = {};
    };
    struct Little {
        std::uint8_t low = 0;
    };
    Registry registry;
    constexpr std::uint32_t kCount = 20'000;
    for (std::uint32_t i = 0; i < kCount; ++i) {
        const Entity entity = registry.create();
        registry.emplace<Little>(entity, static_cast<std::uint8_t>(i));
        registry.emplace<Large>(entity, i);
    }
    std::uint32_t next = 0;
    const auto check = [&](Entity entity, const Little& little, const Large& large) {
        ASSERT_EQ(entity.index(), next);
        ASSERT_EQ(large.number, next);
        ASSERT_EQ(little.low, next % 256);
        ++next;
    };
    registry.view<Little, Large>().each(check);
    EXPECT_EQ(std::exchange(next, 0), kCount);
    registry.view<Large, Little>().each(
        [&](Entity e, Large& large, Little& little) { check(e, little, large); });
    EXPECT_EQ(next, kCount);
}

TEST(View, OfAConstRegistryRunsOnSeveralThreads) {
    Registry registry;
    for (int i = 0; i < 1000; ++i) registry.emplace<Position>(registry.create(), 1.0F, 0.0F);
    const auto sum = [&constant = std::as_const(registry)] {
        float total = 0;
        for (auto [entity, position] : constant.view<Position>(exclude<Frozen>)) total += position.x;
        return total;
    };
    auto other = std::async(std::launch::async, sum);
    EXPECT_EQ(sum(), 1000.0F);
    EXPECT_EQ(other.get(), 1000.0F);
}

TEST(View, OrderIsTheSameForTheSameCalls) {
    const auto order = [] {
        Registry registry;
        std::vector<Entity> entities;
        registry.create(100, std::back_inserter(entities));
        for (const Entity entity : entities) registry.emplace<Position>(entity);
        for (std::size_t i = 0; i < 100; i += 3) registry.remove<Position>(entities[i]);
        for (std::size_t i = 0; i < 100; i += 6) registry.emplace<Position>(entities[i]);
        std::vector<Entity> seen;
        for (auto [entity, position] : registry.view<Position>()) seen.push_back(entity);
        return seen;
    };
    const auto first = order();
    EXPECT_EQ(first, order());
    EXPECT_EQ(first.size(), 83U);
}

}  // namespace
}  // namespace evertick::ecs
