// Changing the world from inside a listener: all of it is defined.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <string>
#include <vector>

#include "ecs/registry.hpp"
#include "tests/core/tracked.hpp"
#include "tests/ecs/parts.hpp"
#include "tests/ecs/printing.hpp"

namespace evertick::ecs {
namespace {

using test::Name;
using test::Position;
using test::Velocity;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Five entities with a name: "0" to "4".
struct SignalChanges : ::testing::Test {
    Registry registry;
    std::vector<Entity> entities;
    SignalChanges() {
        registry.create(5, std::back_inserter(entities));
        for (const Entity entity : entities) registry.emplace<Name>(entity, std::to_string(entity.index()));
    }
    ~SignalChanges() override { registry.check_invariants(); }

    std::vector<std::string> names() {
        std::vector<std::string> all;
        for (auto [entity, name] : registry.view<Name>()) all.push_back(name.text);
        return all;
    }
};

TEST_F(SignalChanges, AListenerOfConstructMayRemoveTheComponentAgain) {
    const auto refuse = [](Registry& where, Entity entity, Position&) { where.remove<Position>(entity); };
    const Connection refusing = registry.on_construct<Position>().connect(refuse);
    int heard = 0;
    const Connection second = registry.on_construct<Position>().connect(
        [&](Registry&, Entity, Position& position) { heard += position == Position{1, 2} ? 1 : 100; });
    EXPECT_EQ(registry.try_emplace<Position>(entities[0], 1.0F, 2.0F), nullptr);
    EXPECT_EQ(heard, 1) << "the next listener is told too, and can read it";
    EXPECT_FALSE(registry.has<Position>(entities[0]));
}

TEST_F(SignalChanges, AListenerOfConstructMayDestroyTheEntity) {
    const Connection destroying = registry.on_construct<Position>().connect(
        [](Registry& where, Entity entity, Position&) { where.destroy(entity); });
    EXPECT_EQ(registry.try_emplace<Position>(entities[1]), nullptr);
    EXPECT_FALSE(registry.valid(entities[1]));
    EXPECT_THAT(names(), ElementsAre("0", "4", "2", "3"));
}

TEST_F(SignalChanges, AListenerOfConstructMayAddMore) {
    const Connection adding =
        registry.on_construct<Position>().connect([](Registry& where, Entity entity, Position& position) {
            where.emplace<Velocity>(entity, position.x, position.y);
            if (where.count<Position>() < 1000) where.emplace<Position>(where.create());
        });
    Position& position = registry.emplace<Position>(entities[0], 1.0F, 2.0F);
    EXPECT_EQ(&position, &registry.get<Position>(entities[0]));
    EXPECT_EQ(registry.get<Velocity>(entities[0]), (Velocity{1, 2}));
    EXPECT_EQ(registry.count<Position>(), 1000U);
}

TEST_F(SignalChanges, AListenerOfUpdateMayRemoveDestroyAndPatchOthers) {
    const Connection chain =
        registry.on_update<Name>().connect([&](Registry& where, Entity entity, Name& name) {
            name.text += "!";
            if (entity == entities[2])
                where.patch<Name>(entities[3], [](Name& other) { other.text = "patched"; });
            where.destroy(entities[0]);
        });
    EXPECT_EQ(registry.patch<Name>(entities[2], [](Name& name) { name.text = "two"; }).text, "two!");
    EXPECT_THAT(names(), ElementsAre("4", "1", "two!", "patched!"));
}

TEST_F(SignalChanges, AListenerOfDestroyMayAddTheComponentAnew) {
    const Connection stubborn =
        registry.on_destroy<Name>().connect([](Registry& where, Entity entity, Name& name) {
            EXPECT_FALSE(where.has<Name>(entity));
            if (name.text != "again") where.emplace<Name>(entity, "again");
            EXPECT_EQ(name.text.size(), 1U) << "the removed one is still the removed one";
        });
    EXPECT_TRUE(registry.remove<Name>(entities[1]));
    EXPECT_EQ(registry.get<Name>(entities[1]).text, "again");
    EXPECT_THAT(names(), ElementsAre("0", "again", "2", "3", "4"));
}

TEST_F(SignalChanges, AListenerOfDestroyFindsTheEntityInvalidAndItsOtherComponentsReadable) {
    registry.emplace<Position>(entities[1], 1.0F, 2.0F);
    int heard = 0;
    const auto look = [&](Registry& where, Entity entity, auto&) {
        ++heard;
        EXPECT_FALSE(where.valid(entity));
        EXPECT_FALSE(where.destroy(entity)) << "it dies once";
        EXPECT_EQ(where.try_emplace<Velocity>(entity), nullptr);
        EXPECT_FALSE(where.has<Position>(entity) || where.has<Name>(entity));
        where.view<Position>().each([](Position&) { ADD_FAILURE() << "views do not see it"; });
        where.check_invariants();
    };
    const Connection names =
        registry.on_destroy<Name>().connect([&](Registry& where, Entity entity, Name& name) {
            look(where, entity, name);
            EXPECT_EQ(where.try_get_pending<Position>(entity) != nullptr, heard == 1)
                << "unless it went before";
        });
    const Connection positions =
        registry.on_destroy<Position>().connect([&](Registry& where, Entity entity, Position& position) {
            look(where, entity, position);
            EXPECT_EQ(where.try_get_pending<Name>(entity) != nullptr, heard == 1) << "unless it went before";
        });
    registry.destroy(entities[1]);
    EXPECT_EQ(heard, 2);
}

TEST_F(SignalChanges, ASlotIsNotReusedWhileItsEntityIsBeingDestroyed) {
    Entity born;
    const Connection heir =
        registry.on_destroy<Name>().connect([&](Registry& where, Entity, Name&) { born = where.create(); });
    registry.destroy(entities[1]);
    EXPECT_EQ(born, Entity::from(5, 0));
    EXPECT_EQ(registry.create(), Entity::from(1, 1));
}

TEST_F(SignalChanges, AListenerOfDestroyMayDestroyTheOthersInTurn) {
    std::vector<std::string> fell;
    const Connection domino =
        registry.on_destroy<Name>().connect([&](Registry& where, Entity entity, Name& name) {
            fell.push_back(name.text);
            if (entity.index() < 4) where.destroy(entities[entity.index() + 1]);
            EXPECT_EQ(name.text, std::to_string(entity.index()))
                << "still its own after all the others are gone";
        });
    registry.destroy(entities[0]);
    EXPECT_THAT(fell, ElementsAre("0", "1", "2", "3", "4"));
    EXPECT_EQ(registry.alive_count(), 0U);
}

TEST_F(SignalChanges, SortIsRefusedWhileListenersOfTheTypeRun) {
    const auto descending = [](const Name& a, const Name& b) { return a.text > b.text; };
    const Connection sorter = registry.on_update<Name>().connect(
        [&](Registry& where, Entity, Name&) { EXPECT_FALSE(where.sort<Name>(descending)); });
    registry.patch<Name>(entities[0], [](Name&) {});
    EXPECT_THAT(names(), ElementsAre("0", "1", "2", "3", "4"));
    EXPECT_TRUE(registry.sort<Name>(descending));
    EXPECT_THAT(names(), ElementsAre("4", "3", "2", "1", "0"));
}

TEST_F(SignalChanges, WhatIsDoomedDuringASweepDiesInIt) {
    const Connection domino = registry.on_destroy<Name>().connect([&](Registry& where, Entity entity, Name&) {
        if (entity.index() < 4) where.destroy_later(entities[entity.index() + 1]);
        EXPECT_EQ(where.sweep(), 0U) << "one sweep at a time";
    });
    registry.destroy_later(entities[2]);
    EXPECT_EQ(registry.sweep(), 3U);
    EXPECT_THAT(names(), ElementsAre("0", "1"));
    EXPECT_THAT(registry.pending(), IsEmpty());
}

TEST_F(SignalChanges, ClearTellsOfEachAndKeepsWhatListenersMake) {
    std::vector<std::string> gone;
    const Connection told = registry.on_destroy<Name>().connect([&](Registry& where, Entity, Name& name) {
        gone.push_back(name.text);
        if (name.text == "3") where.emplace<Position>(where.create());
    });
    registry.destroy_later(entities[4]);
    registry.clear();
    EXPECT_THAT(gone, ElementsAre("4", "0", "1", "2", "3"));
    EXPECT_EQ(registry.alive_count(), 1U);
    EXPECT_EQ(registry.count<Position>(), 1U);
}

TEST_F(SignalChanges, ClearWithListenersLeavesTheSameHandlesAsWithout) {
    Registry quiet;
    for (int i = 0; i < 5; ++i) quiet.create();
    const Connection told = registry.on_destroy<Name>().connect([](Registry&, Entity, Name&) {});
    for (Registry* each : {&registry, &quiet}) {
        each->destroy_later(entities[2]);
        each->destroy(entities[0]);
        each->clear();
    }
    for (int i = 0; i < 7; ++i) EXPECT_EQ(registry.create(), quiet.create());
}

TEST_F(SignalChanges, AListenerMayClearEverything) {
    const Connection last_straw = registry.on_destroy<Name>().connect([](Registry& where, Entity, Name&) {
        where.clear();
        EXPECT_EQ(where.alive_count(), 0U);
        where.check_invariants();
    });
    registry.destroy(entities[2]);
    EXPECT_EQ(registry.alive_count(), 0U);
    EXPECT_EQ(registry.count<Name>(), 0U);
    registry.sweep();
    registry.create(5, std::back_inserter(entities));
    registry.check_invariants();
}

TEST_F(SignalChanges, RemovedComponentsAreDestructedWhenAllListenersHaveRun) {
    test::Tracked::reset();
    registry.emplace<test::Tracked>(entities[0], 1);
    registry.emplace<test::Tracked>(entities[1], 2);
    const auto read = [](Registry&, Entity, test::Tracked& tracked) {
        EXPECT_EQ(tracked.value, 1);
        EXPECT_EQ(test::Tracked::counts.live(), 2);
    };
    const Connection first = registry.on_destroy<test::Tracked>().connect(read);
    const Connection second = registry.on_destroy<test::Tracked>().connect(read);
    registry.remove<test::Tracked>(entities[0]);
    EXPECT_EQ(test::Tracked::counts.live(), 1);
    EXPECT_EQ(registry.get<test::Tracked>(entities[1]).value, 2);
}

TEST_F(SignalChanges, ConnectionsAndRegistryMayGoInEitherOrder) {
    Connection outlives;
    {
        Registry brief;
        outlives = brief.on_destroy<Name>().connect([](Registry&, Entity, Name&) { ADD_FAILURE(); });
        brief.emplace<Name>(brief.create());
    }  // a registry that goes tells nobody: clear() it before if they are to know
    EXPECT_FALSE(outlives.is_connected());
}

using SignalChangesDeathTest = SignalChanges;

TEST_F(SignalChangesDeathTest, EmplaceAbortsWhenAListenerTakesTheComponentAway) {
    const Connection refusing = registry.on_construct<Position>().connect(
        [](Registry& where, Entity entity, Position&) { where.remove<Position>(entity); });
    EXPECT_DEATH(registry.emplace<Position>(entities[0]), "a listener has removed the component again");
    const Connection spiteful = registry.on_update<Name>().connect(
        [](Registry& where, Entity entity, Name&) { where.destroy(entity); });
    EXPECT_DEATH(registry.patch<Name>(entities[0], [](Name&) {}), "the handle is stale");
    EXPECT_DEATH(registry.replace<Position>(entities[0]), "the component is missing");
}

}  // namespace
}  // namespace evertick::ecs
