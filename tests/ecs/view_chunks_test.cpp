// The spans a view hands out to systems that vectorise.

#include <gtest/gtest.h>

#include <iterator>
#include <span>
#include <vector>

#include "ecs/registry.hpp"
#include "tests/ecs/parts.hpp"
#include "tests/ecs/printing.hpp"

namespace evertick::ecs {
namespace {

using test::Frozen;
using test::Position;
using test::Velocity;

// 10,000 entities with position and velocity of the same number.
struct ViewChunks : ::testing::Test {
    static constexpr std::uint32_t kCount = 10'000;
    Registry registry;
    std::vector<Entity> entities;
    std::vector<float> seen;
    std::size_t calls = 0;
    ViewChunks() {
        registry.create(kCount, std::back_inserter(entities));
        for (const Entity entity : entities) {
            registry.emplace<Position>(entity, static_cast<float>(entity.index()), 0.0F);
            registry.emplace<Velocity>(entity, static_cast<float>(entity.index()), 0.0F);
        }
    }
    void look(std::span<Position> positions, std::span<const Velocity> velocities) {
        ++calls;
        ASSERT_EQ(positions.size(), velocities.size());
        ASSERT_FALSE(positions.empty());
        for (std::size_t i = 0; i < positions.size(); ++i) {
            ASSERT_EQ(positions[i].x, velocities[i].x);
            seen.push_back(positions[i].x);
        }
    }
    std::vector<float> visited_by_each() {
        std::vector<float> numbers;
        registry.view<Position, const Velocity>(exclude<Frozen>)
            .each([&](const Position& position, const Velocity&) { numbers.push_back(position.x); });
        return numbers;
    }
};

TEST_F(ViewChunks, OfPoolsInTheSameOrderAreWholeChunks) {
    registry.view<Position, const Velocity>().chunks(
        [&](std::span<Position> a, std::span<const Velocity> b) { look(a, b); });
    EXPECT_EQ(seen, visited_by_each());
    EXPECT_EQ(seen.size(), kCount);
    EXPECT_LE(calls, kCount / 2048 + 1);
}

TEST_F(ViewChunks, BreakWhereThePoolsDiffer) {
    for (std::uint32_t i = 0; i < kCount; i += 97) {
        registry.remove<Velocity>(entities[i]);
        if (i % 2 == 0) registry.emplace<Frozen>(entities[i + 5]);
        if (i % 3 == 0) registry.destroy_later(entities[i + 7]);
    }
    registry.view<Position, const Velocity>(exclude<Frozen>)
        .chunks([&](std::span<Position> a, std::span<const Velocity> b) { look(a, b); });
    EXPECT_EQ(seen, visited_by_each());
    EXPECT_LT(seen.size(), kCount);
}

TEST_F(ViewChunks, OfAnOptionalTypeAreFullOrEmpty) {
    for (std::uint32_t i = 1000; i < 3000; ++i) registry.remove<Velocity>(entities[i]);
    std::size_t with = 0;
    std::size_t without = 0;
    registry.view<Position, Optional<Velocity>>().chunks([&](std::span<Position> a, std::span<Velocity> b) {
        ASSERT_TRUE(b.empty() || a.size() == b.size());
        (b.empty() ? without : with) += a.size();
        for (std::size_t i = 0; i < b.size(); ++i) ASSERT_EQ(a[i].x, b[i].x);
    });
    EXPECT_EQ(with, kCount - 2000);
    EXPECT_EQ(without, 2000U);
}

TEST_F(ViewChunks, HaveNoSpanForTags) {
    for (std::uint32_t i = 0; i < 100; ++i) registry.emplace<Frozen>(entities[i]);
    std::size_t count = 0;
    const Registry& constant = registry;
    constant.view<Frozen, Position>().chunks([&](std::span<const Position> a) { count += a.size(); });
    EXPECT_EQ(count, 100U);
}

TEST_F(ViewChunks, HoldEverythingInPlace) {
    registry.view<Position, const Velocity>().chunks(
        [&](std::span<Position> positions, std::span<const Velocity> velocities) {
            for (const Position& position : positions)
                registry.destroy(entities[static_cast<std::size_t>(position.x)]);
            look(positions, velocities);
        });
    EXPECT_EQ(seen.size(), kCount);
    EXPECT_EQ(registry.alive_count(), 0U);
    registry.check_invariants();
}

}  // namespace
}  // namespace evertick::ecs
