// Changing the world from inside an iteration: what is visited, what moves, what is left behind.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
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
using ::testing::ElementsAre;

// Five entities with a name and a position.
struct ViewChanges : ::testing::Test {
    Registry registry;
    std::vector<Entity> entities;
    std::vector<std::uint32_t> seen;  // indices, as visited
    ViewChanges() {
        registry.create(5, std::back_inserter(entities));
        for (const Entity entity : entities) {
            registry.emplace<Name>(entity,
                                   "entity number " + std::to_string(entity.index()) + ", a long name");
            registry.emplace<Position>(entity);
        }
    }
    ~ViewChanges() override { registry.check_invariants(); }

    // Visits all names, calling `change` at the entity of that index.
    template <class Change>
    void walk(std::uint32_t at, Change change) {
        registry.view<Name>().each([&](Entity entity, Name&) {
            seen.push_back(entity.index());
            if (entity.index() == at) change(entity);
        });
    }
    std::vector<std::uint32_t> order() {
        std::vector<std::uint32_t> indices;
        for (auto [entity, name] : registry.view<Name>()) indices.push_back(entity.index());
        return indices;
    }
};

TEST_F(ViewChanges, TheCurrentEntityMayLoseItsComponent) {
    walk(1, [&](Entity entity) { registry.remove<Name>(entity); });
    EXPECT_THAT(seen, ElementsAre(0, 1, 2, 3, 4));
    EXPECT_THAT(order(), ElementsAre(0, 4, 2, 3));
}

TEST_F(ViewChanges, EveryEntityMayDestroyItself) {
    for (auto [entity, name, position] : registry.view<Name, Position>()) {
        seen.push_back(entity.index());
        EXPECT_TRUE(registry.destroy(entity));
        EXPECT_FALSE(registry.valid(entity));
    }
    EXPECT_THAT(seen, ElementsAre(0, 1, 2, 3, 4));
    EXPECT_EQ(registry.alive_count(), 0U);
    EXPECT_EQ(registry.count<Name>(), 0U);
}

TEST_F(ViewChanges, OneDestroyedBeforeItsTurnIsNotVisited) {
    walk(1, [&](Entity) { registry.destroy(entities[3]); });
    EXPECT_THAT(seen, ElementsAre(0, 1, 2, 4));
}

TEST_F(ViewChanges, DestroyingOneVisitedSkipsNobody) {
    walk(2, [&](Entity) { registry.destroy(entities[0]); });
    EXPECT_THAT(seen, ElementsAre(0, 1, 2, 3, 4));
    EXPECT_THAT(order(), ElementsAre(4, 1, 2, 3));
}

TEST_F(ViewChanges, OneDoomedBeforeItsTurnIsNotVisited) {
    walk(1, [&](Entity) {
        registry.destroy_later(entities[3]);
        registry.destroy_later(entities[0]);
    });
    EXPECT_THAT(seen, ElementsAre(0, 1, 2, 4));
    EXPECT_EQ(registry.sweep(), 2U);
}

TEST_F(ViewChanges, ASweepInsideMovesNothingUntilTheEnd) {
    registry.destroy_later(entities[0]);
    const Name* const last = &registry.get<Name>(entities[4]);
    walk(2, [&](Entity) {
        EXPECT_EQ(registry.sweep(), 1U);
        EXPECT_EQ(&registry.get<Name>(entities[4]), last);
    });
    EXPECT_THAT(seen, ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(order(), ElementsAre(4, 1, 2, 3));
}

TEST_F(ViewChanges, NewcomersAreNotVisited) {
    walk(4, [&](Entity) {
        for (int i = 0; i < 100; ++i) registry.emplace<Name>(registry.create());
    });
    EXPECT_THAT(seen, ElementsAre(0, 1, 2, 3, 4));
    EXPECT_EQ(registry.count<Name>(), 105U);
}

TEST_F(ViewChanges, LeavingAndComingBackIsNotVisitedAgain) {
    registry.view<Name>().each([&](Entity entity, Name&) {
        seen.push_back(entity.index());
        registry.remove<Name>(entity);
        registry.emplace<Name>(entity, "back");
    });
    EXPECT_THAT(seen, ElementsAre(0, 1, 2, 3, 4));
    EXPECT_EQ(registry.count<Name>(), 5U);
}

TEST_F(ViewChanges, ASlotReusedInsideIsNotMistakenForItsLastTenant) {
    walk(0, [&](Entity) {
        registry.destroy(entities[3]);
        const Entity tenant = registry.create();
        ASSERT_EQ(tenant, Entity::from(3, 1));
        registry.emplace<Name>(tenant, "the new 3");
    });
    EXPECT_THAT(seen, ElementsAre(0, 1, 2, 4));
    EXPECT_EQ(registry.get<Name>(Entity::from(3, 1)).text, "the new 3");
}

TEST_F(ViewChanges, AnEntityIsJudgedWhenItsTurnComes) {
    for (const Entity entity : entities) registry.emplace<Frozen>(entity);
    registry.remove<Frozen>(entities[3]);
    for (auto [entity, frozen, name] : registry.view<Frozen, Name>()) {
        seen.push_back(entity.index());
        if (entity == entities[0]) registry.remove<Name>(entities[1]);
    }
    EXPECT_THAT(seen, ElementsAre(0, 2, 4)) << "1 has no name any more";
    seen.clear();
    registry.view<Position>(exclude<Frozen>).each([&](Entity entity, Position&) {
        seen.push_back(entity.index());
        registry.emplace_or_replace<Frozen>(entities[4]);
    });
    EXPECT_THAT(seen, ElementsAre(3));
}

TEST_F(ViewChanges, ReferencesStayGoodWhateverIsRemoved) {
    registry.view<Name, Position>().each([&](Entity entity, Name& name, Position& position) {
        for (const Entity other : entities)
            if (other != entity) registry.destroy(other);
        EXPECT_EQ(name.text, "entity number 0, a long name");
        position.x = 7;
        EXPECT_EQ(&registry.get<Position>(entity), &position);
    });
    EXPECT_EQ(registry.alive_count(), 1U);
    EXPECT_EQ(registry.get<Position>(entities[0]).x, 7);
}

TEST_F(ViewChanges, ReferencesToTheRemovedStayGoodUntilTheEnd) {
    for (auto [entity, name] : registry.view<Name>()) {
        registry.destroy(entity);
        EXPECT_THAT(name.text, ::testing::StartsWith("entity number"));
    }
    EXPECT_EQ(registry.alive_count(), 0U);
}

TEST_F(ViewChanges, IterationsNest) {
    int pairs = 0;
    registry.view<Name>().each([&](Entity outer, Name&) {
        seen.push_back(outer.index());
        for (auto [inner, name] : registry.view<Name>()) {
            ++pairs;
            if (inner.index() == outer.index() + 1) registry.destroy(inner);
        }
    });
    EXPECT_THAT(seen, ElementsAre(0, 2, 4));
    EXPECT_EQ(pairs, 5 + 4 + 3);
    EXPECT_THAT(order(), ElementsAre(0, 4, 2));
}

TEST_F(ViewChanges, ClearInsideEndsTheIteration) {
    walk(2, [&](Entity) {
        registry.clear();
        registry.emplace<Name>(registry.create(), "first of the new world");
    });
    EXPECT_THAT(seen, ElementsAre(0, 1, 2));
    EXPECT_THAT(order(), ElementsAre(0));
    EXPECT_EQ(registry.get<Name>(Entity::from(0, 1)).text, "first of the new world");
}

TEST_F(ViewChanges, LeavingEarlyClosesTheHoles) {
    for (auto [entity, name] : registry.view<Name>()) {
        registry.destroy(entity);
        if (entity == entities[1]) break;
    }
    EXPECT_THAT(order(), ElementsAre(3, 4, 2));
    EXPECT_THROW(walk(2, [](Entity) { throw std::runtime_error("out of the middle"); }), std::runtime_error);
    registry.check_invariants();  // no hold is left: it verifies that there are no holes without one
    registry.destroy(entities[3]);
    EXPECT_THAT(order(), ElementsAre(2, 4));
}

TEST_F(ViewChanges, RemovedComponentsAreDestructedAtTheEnd) {
    test::Tracked::reset();
    for (int i = 0; i < 4; ++i) registry.emplace<test::Tracked>(registry.create(), i);
    registry.view<test::Tracked>().each([&](Entity entity, const test::Tracked&) {
        registry.destroy(entity);
        EXPECT_EQ(test::Tracked::counts.live(), 4);
    });
    EXPECT_EQ(test::Tracked::counts.live(), 0);
}

}  // namespace
}  // namespace evertick::ecs
