// What an owning group promises: who is a member, in which order, and how it is walked.

#include "ecs/group.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <span>
#include <vector>

#include "ecs/registry.hpp"
#include "tests/core/heap_counter.hpp"
#include "tests/ecs/parts.hpp"
#include "tests/ecs/printing.hpp"

namespace evertick::ecs {
namespace {

using test::Frozen;
using test::Name;
using test::Position;
using test::Velocity;
using test::Wide;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Six entities: all have a position, those of odd index a name.
struct GroupTest : ::testing::Test {
    Registry registry;
    std::vector<Entity> entities;
    GroupTest() {
        registry.create(6, std::back_inserter(entities));
        for (const Entity entity : entities) {
            registry.emplace<Position>(entity, static_cast<float>(entity.index()), 0.0F);
            if (entity.index() % 2 == 1) registry.emplace<Name>(entity, std::to_string(entity.index()));
        }
    }
    ~GroupTest() override { registry.check_invariants(); }

    auto group() { return registry.group<Position, Name>(); }
    std::vector<std::uint32_t> members() {
        std::vector<std::uint32_t> indices;
        group().each([&](Entity entity, Position& position, Name& name) {
            EXPECT_EQ(&position, &registry.get<Position>(entity));
            EXPECT_EQ(&name, &registry.get<Name>(entity));
            indices.push_back(entity.index());
        });
        return indices;
    }
};

TEST_F(GroupTest, TakesInWhoMatchesWhenItIsMade) {
    EXPECT_EQ(group().size(), 3U);
    EXPECT_THAT(members(), ElementsAre(1, 3, 5));
}

TEST_F(GroupTest, WhoComesToMatchJoinsAndWhoDoesNotAnyMoreLeaves) {
    group();
    registry.emplace<Name>(entities[0]);
    EXPECT_THAT(members(), ElementsAre(1, 3, 5, 0));
    registry.remove<Position>(entities[1]);
    EXPECT_THAT(members(), ElementsAre(0, 3, 5)) << "the last one takes its place";
    registry.destroy(entities[5]);
    EXPECT_THAT(members(), ElementsAre(0, 3));
    registry.destroy_later(entities[0]);
    EXPECT_THAT(members(), ElementsAre(3));
    registry.check_invariants();
    EXPECT_NE(registry.try_get_pending<Name>(entities[0]), nullptr);
    registry.sweep();
    EXPECT_THAT(members(), ElementsAre(3));
    registry.clear();
    EXPECT_TRUE(group().empty());
}

TEST_F(GroupTest, ItsPoolsStayParallel) {
    group();
    registry.emplace<Name>(entities[4]);
    registry.remove<Name>(entities[3]);
    registry.emplace<Name>(entities[3]);
    std::vector<std::uint32_t> names, positions;
    for (auto [entity, name] : registry.view<Name>()) names.push_back(entity.index());
    for (auto [entity, position] : registry.view<Position>()) positions.push_back(entity.index());
    positions.resize(group().size());
    EXPECT_EQ(names, positions);
}

TEST_F(GroupTest, ChunksAreParallelSpans) {
    Registry many;
    many.group<Position, Wide, const Velocity>();
    for (int i = 0; i < 5000; ++i) {
        const Entity entity = many.create();
        many.emplace<Position>(entity, static_cast<float>(i), 0.0F);
        if (i % 3 == 0) continue;
        many.emplace<Velocity>(entity, 1.0F, 0.0F);
        many.emplace<Wide>(entity).values[0] = i;
    }
    std::size_t total = 0;
    many.group<Position, Wide, const Velocity>().chunks(
        [&](std::span<Position> positions, std::span<Wide> wide, std::span<const Velocity> velocities) {
            ASSERT_EQ(positions.size(), wide.size());
            ASSERT_EQ(positions.size(), velocities.size());
            for (std::size_t i = 0; i < positions.size(); ++i)
                ASSERT_EQ(positions[i].x, static_cast<float>(wide[i].values[0]));
            total += positions.size();
        });
    EXPECT_EQ(total, many.count<Velocity>());
    EXPECT_EQ(total, (many.group<Position, Wide, const Velocity>().size()));
}

TEST_F(GroupTest, MayHaveTags) {
    registry.group<Frozen, Position>();
    registry.emplace<Frozen>(entities[2]);
    registry.emplace<Frozen>(entities[5]);
    std::vector<std::uint32_t> indices;
    registry.group<Frozen, Position>().each(
        [&](Entity entity, Frozen&, Position&) { indices.push_back(entity.index()); });
    EXPECT_THAT(indices, ElementsAre(2, 5));
}

TEST_F(GroupTest, NamesItsTypesInAnyOrder) {
    group();
    int visited = 0;
    registry.group<const Name, const Position>().each([&](const Name& name, const Position& position) {
        EXPECT_EQ(name.text, std::to_string(static_cast<int>(position.x)));
        ++visited;
    });
    EXPECT_EQ(visited, 3);
}

TEST_F(GroupTest, ClonesJoin) {
    group();
    const Entity copy = registry.clone(entities[3]);
    EXPECT_THAT(members(), ElementsAre(1, 3, 5, copy.index()));
    EXPECT_EQ(registry.get<Name>(copy).text, "3");
}

TEST_F(GroupTest, FollowsAMovedRegistry) {
    group();
    Registry moved = std::move(registry);
    EXPECT_EQ((moved.group<Position, Name>().size()), 3U);
    moved.remove<Name>(entities[1]);
    moved.check_invariants();
    EXPECT_TRUE(group().empty());  // the registry moved from is a new one
    registry.emplace<Position>(registry.create());
    EXPECT_THAT(members(), IsEmpty());
}

TEST_F(GroupTest, ThrowingMidwayThroughABulkInsertLeavesAWholeGroup) {
    struct Fragile {
        explicit Fragile(int& left) {
            if (left-- == 0) throw std::runtime_error("fragile");
        }
    };
    registry.group<Velocity, Fragile>();
    registry.emplace<Velocity>(entities, 1.0F, 0.0F);
    int left = 4;
    EXPECT_THROW(registry.emplace<Fragile>(entities, std::ref(left)), std::runtime_error);
    EXPECT_EQ((registry.group<Velocity, Fragile>().size()), 4U);
    registry.check_invariants();
}

TEST_F(GroupTest, ChurnAllocatesNothing) {
    registry.group<Velocity, Position>();
    const auto churn = [&] {
        registry.view<Position>().each([&](Entity entity, Position&) {
            if (!registry.remove<Velocity>(entity)) registry.emplace<Velocity>(entity);
        });
        registry.destroy(entities[0]);
        entities[0] = registry.create();
        registry.emplace<Position>(entities[0]);
    };
    for (int i = 0; i < 4; ++i) churn();
    const std::size_t before = test::heap_allocations();
    for (int i = 0; i < 10; ++i) churn();
    EXPECT_EQ(test::heap_allocations(), before);
}

using GroupDeathTest = GroupTest;

TEST_F(GroupDeathTest, MisuseAborts) {
    group();
    EXPECT_DEATH((registry.group<Name, Velocity>()), "a type is in one group at most");
    EXPECT_DEATH((registry.group<Position, Name, Velocity>()), "a type is in one group at most");
    EXPECT_DEATH((registry.group<Velocity, Velocity>()), "a type is named twice");
    registry.emplace<Velocity>(entities[0]);
    EXPECT_DEATH(registry.view<Velocity>().each([&](Velocity&) { registry.group<Velocity, Frozen>(); }),
                 "made while a view walks one of its pools");
}

}  // namespace
}  // namespace evertick::ecs
