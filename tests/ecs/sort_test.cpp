// Sorting a pool: what moves, what stays in order, what is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <stdexcept>
#include <vector>

#include "ecs/registry.hpp"
#include "tests/ecs/parts.hpp"
#include "tests/ecs/printing.hpp"

namespace evertick::ecs {
namespace {

using test::Name;
using test::Position;
using test::Velocity;
using ::testing::ElementsAre;

bool by_x(const Position& a, const Position& b) { return a.x < b.x; }

// Entities 0 to 5 at x 3, 1, 2, 1, 3, 0.
struct Sort : ::testing::Test {
    Registry registry;
    std::vector<Entity> entities;
    Sort() {
        registry.create(6, std::back_inserter(entities));
        for (const float x : {3.0F, 1.0F, 2.0F, 1.0F, 3.0F, 0.0F})
            registry.emplace<Position>(entities[registry.count<Position>()], x, 0.0F);
    }
    ~Sort() override { registry.check_invariants(); }

    template <class T>
    std::vector<std::uint32_t> order() {
        std::vector<std::uint32_t> indices;
        for (auto [entity, component] : registry.view<T>()) indices.push_back(entity.index());
        return indices;
    }
};

TEST_F(Sort, PutsAPoolInOrderAndEqualOnesInTheOrderTheyWereIn) {
    EXPECT_TRUE(registry.sort<Position>(by_x));
    EXPECT_THAT(order<Position>(), ElementsAre(5, 1, 3, 2, 0, 4));
    for (const auto& [entity, x] : {std::pair{0U, 3.0F}, {1U, 1.0F}, {5U, 0.0F}})
        EXPECT_EQ(registry.get<Position>(entities[entity]).x, x) << "each keeps its own";
    EXPECT_TRUE(registry.sort<Position>(by_x)) << "sorting what is sorted changes nothing";
    EXPECT_THAT(order<Position>(), ElementsAre(5, 1, 3, 2, 0, 4));
}

TEST_F(Sort, LeavesOtherPoolsAlone) {
    for (const Entity entity : entities) registry.emplace<Name>(entity);
    registry.sort<Position>(by_x);
    EXPECT_THAT(order<Name>(), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST_F(Sort, IsRefusedWhileAViewOfTheTypeIsIterated) {
    registry.emplace<Name>(entities[0]);
    registry.view<Name>().each([&](Name&) { EXPECT_TRUE(registry.sort<Position>(by_x)); });
    const auto descending = [](const Position& a, const Position& b) { return a.x > b.x; };
    registry.view<Position>().each([&](Position&) { EXPECT_FALSE(registry.sort<Position>(descending)); });
    EXPECT_THAT(order<Position>(), ElementsAre(5, 1, 3, 2, 0, 4));
}

TEST_F(Sort, WhatTheComparisonThrowsComesOutWithNothingChanged) {
    int left = 4;
    const auto tired = [&](const Position& a, const Position& b) {
        if (left-- == 0) throw std::runtime_error("tired");
        return a.x < b.x;
    };
    EXPECT_THROW(registry.sort<Position>(tired), std::runtime_error);
    EXPECT_THAT(order<Position>(), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST_F(Sort, TheDoomedAreSortedAlongAndStillReadable) {
    registry.destroy_later(entities[0]);
    registry.destroy_later(entities[1]);
    EXPECT_TRUE(registry.sort<Position>(by_x));
    EXPECT_THAT(order<Position>(), ElementsAre(5, 3, 2, 4));
    EXPECT_EQ(registry.try_get_pending<Position>(entities[0])->x, 3);
    registry.check_invariants();
    registry.sweep();
    EXPECT_EQ(registry.count<Position>(), 4U);
}

TEST_F(Sort, OfAGroupMembersAndTheRestAreSortedEachForThemselves) {
    registry.group<Position, Velocity>();
    for (const std::size_t i : {4U, 0U, 2U})
        registry.emplace<Velocity>(entities[i], static_cast<float>(i), 0.0F);
    EXPECT_TRUE(registry.sort<Position>(by_x));
    EXPECT_THAT(order<Position>(), ElementsAre(2, 4, 0, 5, 3, 1)) << "members first";
    EXPECT_THAT(order<Velocity>(), ElementsAre(2, 4, 0)) << "still side by side";
    registry.group<Position, Velocity>().each([](Entity entity, Position&, Velocity& velocity) {
        EXPECT_EQ(velocity.x, static_cast<float>(entity.index()));
    });
}

TEST_F(Sort, OfNothingIsFine) {
    EXPECT_TRUE(registry.sort<Velocity>([](auto&, auto&) { return false; }));
}

}  // namespace
}  // namespace evertick::ecs
