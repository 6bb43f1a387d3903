#include "server/world/bounds_block.hpp"

#include <gtest/gtest.h>

#include "tests/server/world/crowd.hpp"

namespace evertick::world {
namespace {

// A block with these bounds in every other place, and nobody's between them.
BoundsBlock block_of(const Bounds& bounds) {
    BoundsBlock block;
    for (std::size_t i = 0; i < BoundsBlock::kSize; ++i) block.set(i, i % 2 == 0 ? bounds : Bounds{});
    return block;
}

double least_squared_distance(const Vector3& from, const Bounds& to) {
    BoundsBlock::Distances distances;
    block_of(to).least_squared_distances(from, distances);
    for (std::size_t i = 2; i < BoundsBlock::kSize; i += 2) EXPECT_EQ(distances[i], distances[0]);
    EXPECT_FALSE(distances[1] <= 1e30) << "nobody is far away";
    return distances[0];
}

bool overlap(const Box& box, const Bounds& bounds) {
    const BoundsBlock::Bits bits = block_of(bounds).overlapping(box);
    EXPECT_TRUE(bits == 0 || bits == 0x5555U) << "every other one, or none: " << bits;
    return bits != 0;
}

TEST(BoundsBlock, HasWhatWasSet) {
    Bounds bounds;
    bounds.add({1, -2, 3}, 7);
    bounds.add({2, 5, -3}, 9);
    const BoundsBlock block = block_of(bounds);
    EXPECT_EQ(block[4], bounds);
    EXPECT_EQ(block[5], Bounds{});
    EXPECT_EQ(block.lowest_index(4), 7U);
}

TEST(Bounds, OfNobodyAreFarFromEverywhereAndTouchNothing) {
    const Bounds none;
    EXPECT_FALSE(least_squared_distance(Vector3{}, none) <= 1e30);
    EXPECT_FALSE(overlap({{-1, -1, -1}, {1, 1, 1}}, none));
}

TEST(Bounds, GrowWithEachOneAdded) {
    Bounds bounds;
    bounds.add({1, -2, 3}, 7);
    EXPECT_EQ(bounds.low, bounds.high);
    bounds.add({-1, 2, 3}, 4);
    EXPECT_EQ(bounds.low, (Vector3{-1, -2, 3}));
    EXPECT_EQ(bounds.high, (Vector3{1, 2, 3}));
    EXPECT_EQ(bounds.lowest_index, 4U);
}

TEST(Bounds, DistanceIsToTheNearestSideAndNothingInside) {
    Bounds bounds;
    bounds.add({0, 0, 0}, 0);
    bounds.add({2, 2, 2}, 1);
    EXPECT_EQ(least_squared_distance({1, 2, 0}, bounds), 0);
    EXPECT_EQ(least_squared_distance({5, 1, 1}, bounds), 9);
    EXPECT_EQ(least_squared_distance({-1, 3, 1}, bounds), 2);
}

TEST(Bounds, TouchABoxAtTheBorder) {
    Bounds bounds;
    bounds.add({0, 0, 0}, 0);
    bounds.add({2, 2, 2}, 1);
    EXPECT_TRUE(overlap({{2, 2, 2}, {3, 3, 3}}, bounds));
    EXPECT_FALSE(overlap({{2.01F, 0, 0}, {3, 3, 3}}, bounds));
}

// To the last bit: that is why pruning by it loses nobody.
TEST(Bounds, AreNeverFartherThanWhoIsInside) {
    core::Random random(1);
    for (const test::Spread& spread : test::kSpreads) {
        for (int round = 0; round < 2000; ++round) {
            const Vector3 from = point(spread.draw(random));
            const Vector3 inside = point(spread.draw(random));
            Bounds bounds;
            bounds.add(inside, 0);
            for (int i = 0; i < 4; ++i) {
                EXPECT_LE(least_squared_distance(from, bounds), squared_distance(from, inside))
                    << spread.name;
                bounds.add(point(spread.draw(random)), 1);
            }
        }
    }
}

}  // namespace
}  // namespace evertick::world
