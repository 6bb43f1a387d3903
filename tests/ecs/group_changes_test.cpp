// Changing the world while a group, or a view of one of its types, is walked.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <span>
#include <vector>

#include "ecs/registry.hpp"
#include "tests/core/tracked.hpp"
#include "tests/ecs/parts.hpp"
#include "tests/ecs/printing.hpp"

namespace evertick::ecs {
namespace {

using test::Name;
using test::Position;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A group of entities 0 to 5; 6 and 7 have only a name.
struct GroupChanges : ::testing::Test {
    Registry registry;
    std::vector<Entity> entities;
    std::vector<std::uint32_t> seen;
    GroupChanges() {
        registry.create(8, std::back_inserter(entities));
        registry.group<Name, Position>();
        for (const Entity entity : entities) registry.emplace<Name>(entity, std::to_string(entity.index()));
        for (std::size_t i = 0; i < 6; ++i) registry.emplace<Position>(entities[i]);
    }
    ~GroupChanges() override { registry.check_invariants(); }

    // Walks the group, calling `change` at the entity of that index.
    template <class Change>
    void walk(std::uint32_t at, Change change) {
        seen.clear();
        registry.group<Name, Position>().each([&](Entity entity, Name& name, Position&) {
            EXPECT_EQ(name.text, std::to_string(entity.index()));
            seen.push_back(entity.index());
            if (entity.index() == at) change(entity);
            registry.check_invariants();
        });
    }
    std::vector<std::uint32_t> members() {
        walk(1000, [](Entity) {});
        return seen;
    }
    std::size_t size() { return registry.group<Name, Position>().size(); }
};

TEST_F(GroupChanges, WhoLeavesBeforeItsTurnIsNotVisited) {
    walk(1, [&](Entity) {
        registry.remove<Position>(entities[2]);
        registry.destroy(entities[3]);
        registry.destroy_later(entities[5]);
        registry.remove<Name>(entities[0]);
        EXPECT_EQ(size(), 2U) << "gaps do not count";
    });
    EXPECT_THAT(seen, ElementsAre(0, 1, 4));
    EXPECT_THAT(members(), ElementsAre(4, 1));
}

TEST_F(GroupChanges, WhoComesToMatchJoinsAtTheEnd) {
    walk(1, [&](Entity) {
        registry.emplace<Position>(entities[6]);
        registry.clone(entities[0]);
        EXPECT_EQ(size(), 6U);
    });
    EXPECT_THAT(seen, ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_EQ(size(), 8U);
}

TEST_F(GroupChanges, WhoComesToMatchAndLosesItAgainDoesNotJoin) {
    walk(1, [&](Entity) {
        registry.emplace<Position>(entities[6]);
        registry.destroy(entities[6]);
        registry.emplace<Position>(entities[7]);
        registry.remove<Name>(entities[7]);
    });
    EXPECT_THAT(members(), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST_F(GroupChanges, LeavingAndComingBackIsNotVisitedAgain) {
    walk(1, [&](Entity) {
        for (const std::size_t i : {0U, 1U, 4U}) {
            registry.remove<Position>(entities[i]);
            registry.emplace<Position>(entities[i]);
        }
    });
    EXPECT_THAT(seen, ElementsAre(0, 1, 2, 3, 5));
    EXPECT_THAT(members(), ::testing::UnorderedElementsAre(0, 1, 2, 3, 4, 5));
}

TEST_F(GroupChanges, AViewOfOneOfItsTypesHoldsTheGroup) {
    const Name* const last = &registry.get<Name>(entities[5]);
    registry.view<Position>().each([&](Entity entity, Position&) {
        if (entity == entities[1]) registry.remove<Name>(entities[0]);  // a pool that the view does not name
        if (entity == entities[2]) registry.emplace<Position>(entities[7]);
        EXPECT_EQ(&registry.get<Name>(entities[5]), last);
        registry.check_invariants();
    });
    EXPECT_THAT(members(), ElementsAre(5, 1, 2, 3, 4, 7));
}

TEST_F(GroupChanges, EveryMemberMayDestroyItself) {
    registry.group<Name, Position>().each([&](Entity entity, Name& name, Position&) {
        registry.destroy(entity);
        EXPECT_EQ(name.text, std::to_string(entity.index()));
    });
    EXPECT_EQ(size(), 0U);
    EXPECT_EQ(registry.count<Name>(), 2U);
}

TEST_F(GroupChanges, ClearInsideEndsTheWalk) {
    walk(2, [&](Entity) {
        registry.clear();
        EXPECT_EQ(size(), 0U);
    });
    EXPECT_THAT(seen, ElementsAre(0, 1, 2));
    EXPECT_THAT(members(), IsEmpty());
}

TEST_F(GroupChanges, WalksNestAndJoiningWaitsForTheOutermost) {
    int inner = 0;
    walk(0, [&](Entity) {
        registry.emplace<Position>(entities[6]);
        registry.group<Name, Position>().each([&](Entity entity, Name&, Position&) {
            ++inner;
            if (entity == entities[2]) registry.remove<Position>(entities[3]);
        });
        EXPECT_EQ(size(), 5U);
    });
    EXPECT_EQ(inner, 5);
    EXPECT_THAT(seen, ElementsAre(0, 1, 2, 4, 5));
    EXPECT_THAT(members(), ElementsAre(0, 1, 2, 5, 4, 6));
}

TEST_F(GroupChanges, ChunksLeaveOutWhoHasLeft) {
    std::vector<std::size_t> lengths;
    registry.view<Position>().each([&](Entity entity, Position&) {
        if (entity != entities[1]) return;
        registry.remove<Name>(entities[1]);
        registry.destroy(entities[4]);
        registry.group<Name, Position>().chunks([&](std::span<Name> names, std::span<Position> positions) {
            EXPECT_EQ(names.size(), positions.size());
            lengths.push_back(names.size());
        });
    });
    EXPECT_THAT(lengths, ElementsAre(1, 2, 1)) << "0; 2 and 3; 5";
}

TEST_F(GroupChanges, ListenersFindTheGroupWhole) {
    const auto check = [&](Registry& where, Entity entity, auto&) {
        where.check_invariants();
        bool found = false;
        where.group<Name, Position>().each([&](Entity each, Name&, Position&) { found |= each == entity; });
        EXPECT_EQ(found, (where.has<Name>(entity) && where.has<Position>(entity))) << to_text(entity);
    };
    const Connection added = registry.on_construct<Position>().connect(check);
    const Connection removed = registry.on_destroy<Position>().connect(check);
    const Connection unnamed = registry.on_destroy<Name>().connect(check);
    registry.emplace<Position>(entities[6]);
    registry.remove<Position>(entities[0]);
    registry.remove<Name>(entities[1]);
    registry.destroy(entities[2]);
    registry.destroy_later(entities[3]);
    registry.sweep();
    EXPECT_THAT(members(), ElementsAre(6, 5, 4));
}

TEST_F(GroupChanges, WhatIsRemovedIsDestructedAtTheEnd) {
    using test::Tracked;
    Tracked::reset();
    registry.group<Tracked, test::Velocity>();
    for (int i = 0; i < 6; ++i) {
        registry.emplace<Tracked>(entities[static_cast<std::size_t>(i)], i);
        registry.emplace<test::Velocity>(entities[static_cast<std::size_t>(i)]);
    }
    registry.group<Tracked, test::Velocity>().each([&](Entity entity, Tracked& tracked, test::Velocity&) {
        if (tracked.value % 2 == 0) registry.destroy(entity);
        EXPECT_EQ(Tracked::counts.live(), 6);
    });
    EXPECT_EQ(Tracked::counts.live(), 3);
}

}  // namespace
}  // namespace evertick::ecs
