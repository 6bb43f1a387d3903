#include "server/world/bounds.hpp"

#include <gtest/gtest.h>

#include "tests/server/world/crowd.hpp"

namespace evertick::world {
namespace {

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
