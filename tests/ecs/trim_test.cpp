// Giving memory back after a mass death, and accounting for what is held.

#include <gtest/gtest.h>

#include <iterator>
#include <vector>

#include "ecs/registry.hpp"
#include "tests/ecs/parts.hpp"
#include "tests/ecs/printing.hpp"

namespace evertick::ecs {
namespace {

using test::Name;
using test::Position;
using test::Velocity;
using test::Wide;

std::vector<Entity> populate(Registry& registry, std::size_t count) {
    std::vector<Entity> entities;
    registry.create(count, std::back_inserter(entities));
    registry.emplace<Position>(entities);
    registry.emplace<Wide>(entities);
    return entities;
}

TEST(Trim, AfterAMassDeathEightBytesASlotAreLeft) {
    Registry registry;
    const std::vector<Entity> entities = populate(registry, 100'000);
    registry.destroy(entities);
    EXPECT_EQ(registry.bytes().live, 0U);
    registry.trim();
    registry.check_invariants();
    EXPECT_LE(registry.bytes().reserved, 8 * entities.size() + 65'536);
    EXPECT_LE(registry.bytes<Wide>().reserved, 4096U);
}

TEST(Trim, ChangesNeitherGenerationsNorReuseNorOrder) {
    Registry trimmed, other;
    for (Registry* registry : {&trimmed, &other}) {
        const std::vector<Entity> entities = populate(*registry, 10'000);
        for (std::size_t i = 0; i < entities.size(); ++i)
            if (i % 7 != 0) registry->destroy(entities[i]);
    }
    trimmed.trim();
    trimmed.check_invariants();
    const auto order = [](Registry& registry) {
        std::vector<Entity> entities;
        registry.view<Position>().each([&](Entity entity, Position&) { entities.push_back(entity); });
        return entities;
    };
    EXPECT_EQ(order(trimmed), order(other));
    for (int i = 0; i < 9000; ++i) ASSERT_EQ(trimmed.create(), other.create()) << "the one freed last first";
}

TEST(Trim, WorksWhileAViewIsIterated) {
    Registry registry;
    const std::vector<Entity> entities = populate(registry, 5000);
    std::size_t visited = 0;
    registry.view<Position>().each([&](Entity entity, Position& position) {
        if (entity.index() == 100)
            for (std::size_t i = 200; i < entities.size(); ++i) registry.destroy(entities[i]);
        if (entity.index() % 50 == 0) registry.trim();
        position.x = 1;
        ++visited;
    });
    EXPECT_EQ(visited, 200U);
    registry.trim();
    registry.check_invariants();
    EXPECT_LE(registry.bytes<Wide>().reserved, 200'000U);
}

TEST(Accounting, BytesAreThoseOfEveryPoolAndTheEntities) {
    Registry registry;
    const Bytes empty = registry.bytes();
    const std::vector<Entity> entities = populate(registry, 1000);
    EXPECT_EQ(registry.bytes<Position>().live, 1000 * (sizeof(Position) + 8));
    EXPECT_EQ(registry.bytes<Wide>().live, 1000 * (sizeof(Wide) + 8));
    EXPECT_EQ(registry.bytes<Name>(), Bytes{});
    Bytes sum = registry.bytes<Position>();
    sum += registry.bytes<Wide>();
    EXPECT_EQ(registry.bytes().live - sum.live, 1000 * 12U) << "12 bytes an entity";
    EXPECT_GE(registry.bytes().reserved, sum.reserved + empty.reserved);
}

TEST(Accounting, WhatAGroupNotesDuringAWalkIsCounted) {
    Registry registry;
    const std::vector<Entity> entities = populate(registry, 1000);
    registry.group<Position, Wide>();
    const Bytes before = registry.bytes();
    registry.group<Position, Wide>().each(
        [&](Entity entity, Position&, Wide&) { registry.remove<Wide>(entity); });
    EXPECT_EQ(registry.bytes().live, before.live - 1000 * (sizeof(Wide) + 8));
    EXPECT_GT(registry.bytes().reserved, before.reserved);
    registry.trim();
    EXPECT_LT(registry.bytes().reserved, before.reserved - 1000 * sizeof(Wide) / 2);
}

}  // namespace
}  // namespace evertick::ecs
