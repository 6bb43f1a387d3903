// What the registry promises of entities and components, one call at a time.

#include "ecs/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "tests/ecs/parts.hpp"
#include "tests/ecs/printing.hpp"

namespace evertick::ecs {
namespace {

using test::Frozen;
using test::Name;
using test::Position;
using test::Velocity;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Registry, EntitiesCountFrom00AndComeBackWithTheNextGeneration) {
    Registry registry;
    EXPECT_EQ(registry.create(), Entity::from(0, 0));
    const Entity second = registry.create();
    EXPECT_EQ(second, Entity::from(1, 0));
    EXPECT_TRUE(registry.destroy(second));
    EXPECT_EQ(registry.create(), Entity::from(1, 1));
    EXPECT_EQ(registry.alive_count(), 2U);
}

TEST(Registry, EmplaceGivesTheComponentThatGetFinds) {
    Registry registry;
    const Entity entity = registry.create();
    Position& position = registry.emplace<Position>(entity, 1.0F, 2.0F);
    EXPECT_EQ(position, (Position{1, 2}));
    EXPECT_EQ(&registry.get<Position>(entity), &position);
    EXPECT_EQ(registry.try_get<Position>(entity), &position);
    EXPECT_EQ(&std::as_const(registry).get<Position>(entity), &position);
    EXPECT_TRUE(registry.has<Position>(entity));
    EXPECT_EQ(registry.count<Position>(), 1U);
    EXPECT_EQ(registry.try_get<Velocity>(entity), nullptr);
    EXPECT_EQ(registry.count<Velocity>(), 0U);
}

TEST(Registry, AStaleHandleReachesNothing) {
    Registry registry;
    const Entity old = registry.create();
    registry.emplace<Position>(old);
    registry.destroy(old);
    const Entity now = registry.create();
    registry.emplace<Position>(now, 1.0F, 2.0F);
    ASSERT_EQ(now.index(), old.index());
    EXPECT_FALSE(registry.valid(old));
    EXPECT_FALSE(registry.has<Position>(old));
    EXPECT_EQ(registry.try_get<Position>(old), nullptr);
    EXPECT_EQ(registry.mask(old), 0U);
    EXPECT_FALSE(registry.remove<Position>(old));
    EXPECT_FALSE(registry.destroy(old));
    EXPECT_FALSE(registry.destroy_later(old));
    EXPECT_EQ(registry.get<Position>(now), (Position{1, 2})) << "untouched";
}

TEST(Registry, NullReachesNothing) {
    Registry registry;
    registry.create();
    EXPECT_FALSE(registry.valid(Entity::null));
    EXPECT_FALSE(registry.destroy(Entity::null));
    EXPECT_EQ(registry.try_get<Position>(Entity::null), nullptr);
    EXPECT_FALSE(registry.was_made(Entity::null));
}

TEST(Registry, TellsAStaleHandleFromOneThatNeverWas) {
    Registry registry;
    const Entity entity = registry.create();
    EXPECT_TRUE(registry.was_made(entity));
    EXPECT_FALSE(registry.was_made(Entity::from(0, 1)));
    EXPECT_FALSE(registry.was_made(Entity::from(1, 0)));
    registry.destroy_later(entity);
    EXPECT_TRUE(registry.was_made(entity));
    registry.sweep();
    EXPECT_TRUE(registry.was_made(entity));
    EXPECT_FALSE(registry.was_made(Entity::from(0, 1))) << "the next tenant, not created yet";
}

TEST(Registry, RemoveTakesOneComponentAndLeavesTheOthers) {
    Registry registry;
    const Entity entity = registry.create();
    registry.emplace<Position>(entity, 1.0F, 2.0F);
    registry.emplace<Velocity>(entity);
    EXPECT_TRUE(registry.remove<Velocity>(entity));
    EXPECT_FALSE(registry.remove<Velocity>(entity)) << "the second time there is none";
    EXPECT_FALSE(registry.has<Velocity>(entity));
    EXPECT_EQ(registry.get<Position>(entity), (Position{1, 2}));
    registry.check_invariants();
}

TEST(Registry, EmplaceOrReplaceDoesEither) {
    Registry registry;
    const Entity entity = registry.create();
    Name& name = registry.emplace_or_replace<Name>(entity, "first");
    EXPECT_EQ(&registry.emplace_or_replace<Name>(entity, "second"), &name);
    EXPECT_EQ(name.text, "second");
    EXPECT_EQ(registry.count<Name>(), 1U);
}

TEST(Registry, PatchChangesInPlace) {
    Registry registry;
    const Entity entity = registry.create();
    registry.emplace<Position>(entity, 1.0F, 2.0F);
    EXPECT_EQ(registry.patch<Position>(entity, [](Position& position) { position.x = 7; }), (Position{7, 2}));
}

TEST(Registry, AnEntityMayBeMadeFromAnothersComponent) {
    Registry registry;
    Entity previous = registry.create();
    registry.emplace<Name>(previous, "the same name in all of many entities");
    for (int i = 0; i < 2000; ++i) {
        const Entity entity = registry.create();
        registry.emplace<Name>(entity, registry.get<Name>(previous));
        previous = entity;
    }
    EXPECT_EQ(registry.get<Name>(previous).text, "the same name in all of many entities");
}

TEST(Registry, MaskNamesTheComponentsAnEntityHas) {
    Registry registry;
    const Entity entity = registry.create();
    EXPECT_EQ(registry.mask(entity), 0U);
    registry.emplace<Position>(entity);
    registry.emplace<Frozen>(entity);
    EXPECT_EQ(registry.mask(entity), (component_mask<Frozen, const Position>()));
}

TEST(Registry, TagsAndMoveOnlyComponentsWork) {
    Registry registry;
    const Entity entity = registry.create();
    registry.emplace<Frozen>(entity);
    registry.emplace<test::Treasure>(entity, std::make_unique<int>(5));
    EXPECT_TRUE(registry.has<Frozen>(entity));
    EXPECT_EQ(*registry.get<test::Treasure>(entity).gold, 5);
    registry.emplace_or_replace<test::Treasure>(entity, std::make_unique<int>(6));
    EXPECT_EQ(*registry.get<test::Treasure>(entity).gold, 6);
    registry.destroy(entity);
    EXPECT_EQ(registry.count<Frozen>() + registry.count<test::Treasure>(), 0U);
}

TEST(Registry, CreatesAndDestroysInBulk) {
    Registry registry;
    std::vector<Entity> entities;
    registry.create(3, std::back_inserter(entities));
    EXPECT_THAT(entities, ElementsAre(Entity::from(0, 0), Entity::from(1, 0), Entity::from(2, 0)));
    registry.destroy(entities[1]);
    EXPECT_EQ(registry.destroy(entities), 2U) << "the stale one is passed over";
    EXPECT_EQ(registry.alive_count(), 0U);
}

TEST(Registry, DestroysWhatItsOwnScanFinds) {
    Registry registry;
    std::vector<Entity> entities;
    registry.create(5, std::back_inserter(entities));
    registry.destroy(entities[2]);
    std::vector<Entity> scanned;
    std::ranges::copy(registry.entities(), std::back_inserter(scanned));
    EXPECT_THAT(scanned, ElementsAre(entities[0], entities[1], entities[3], entities[4]));
    EXPECT_EQ(registry.destroy(registry.entities()), 4U);
    EXPECT_EQ(registry.alive_count(), 0U);
}

TEST(Registry, ScansInAscendingIndex) {
    Registry registry;
    const Entity first = registry.create();
    const Entity second = registry.create();
    registry.destroy(first);
    EXPECT_EQ(registry.index_count(), 2U);
    EXPECT_EQ(registry.entity_at(0), Entity::null);
    EXPECT_EQ(registry.entity_at(1), second);
    EXPECT_EQ(registry.entity_at(2), Entity::null);
}

TEST(Registry, CreateAtRestoresAHandle) {
    Registry registry;
    const Entity saved = Entity::from(2, 9);
    EXPECT_TRUE(registry.create_at(saved));
    EXPECT_FALSE(registry.create_at(saved));
    registry.emplace<Position>(saved, 1.0F, 2.0F);
    EXPECT_EQ(registry.create(), Entity::from(0, 0));
    registry.check_invariants();
}

TEST(Registry, ClearDestroysEverythingAndHandlesStayStale) {
    Registry registry;
    std::vector<Entity> entities;
    registry.create(3, std::back_inserter(entities));
    for (const Entity entity : entities) registry.emplace<Name>(entity);
    registry.destroy_later(entities[1]);
    registry.clear();
    registry.check_invariants();
    EXPECT_EQ(registry.alive_count(), 0U);
    EXPECT_EQ(registry.count<Name>(), 0U);
    EXPECT_THAT(registry.pending(), IsEmpty());
    for (const Entity entity : entities) EXPECT_FALSE(registry.valid(entity));
    EXPECT_EQ(registry.create(), Entity::from(0, 1));
}

TEST(Registry, MovedFromIsEmptyAndUsable) {
    Registry from;
    const Entity entity = from.create();
    from.emplace<Name>(entity, "moved along");
    const Name* const name = &from.get<Name>(entity);
    Registry to = std::move(from);
    EXPECT_EQ(&to.get<Name>(entity), name) << "components stay where they are";
    from.check_invariants();  // NOLINT(bugprone-use-after-move): what it promises
    EXPECT_EQ(from.alive_count(), 0U);
    from.emplace<Name>(from.create());
    EXPECT_EQ(from.count<Name>(), 1U);
    to = std::move(from);
    EXPECT_EQ(to.count<Name>(), 1U);
    to.check_invariants();
}

TEST(Registry, ChunksShowEveryComponent) {
    Registry registry;
    for (int i = 0; i < 5000; ++i) registry.emplace<Position>(registry.create(), static_cast<float>(i), 0.0F);
    float sum = 0;
    for (const auto chunk : std::as_const(registry).chunks<Position>())
        for (const Position& position : chunk) sum += position.x;
    EXPECT_EQ(sum, 12'497'500.0F);
    EXPECT_TRUE(std::as_const(registry).chunks<Velocity>().empty());
}

TEST(RegistryDeathTest, OurOwnMisuseAborts) {
    Registry registry;
    const Entity entity = registry.create();
    registry.emplace<Position>(entity);
    const Entity stale = registry.create();
    registry.destroy(stale);
    EXPECT_DEATH(registry.emplace<Position>(entity),
                 "Registry::emplace: the entity has this component already");
    EXPECT_DEATH(registry.emplace<Position>(stale), "Registry::emplace: the handle is stale");
    EXPECT_DEATH(registry.emplace_or_replace<Position>(stale), "the handle is stale");
    EXPECT_DEATH(registry.get<Velocity>(entity), "the component is missing");
    EXPECT_DEATH(registry.get<Position>(stale), "the handle is stale");
    EXPECT_DEATH(registry.patch<Velocity>(entity, [](Velocity&) {}), "the component is missing");
}

void number_one_type_too_many() {
    std::array<std::atomic<ComponentId>, kMaxComponentTypes + 1> types;
    for (std::atomic<ComponentId>& number : types) {
        number = kUnnumbered;
        number_component_type(number);
    }
}

TEST(RegistryDeathTest, TheSixtyFifthComponentTypeAborts) {
    EXPECT_DEATH(number_one_type_too_many(), "more than kMaxComponentTypes component types");
}

}  // namespace
}  // namespace evertick::ecs
