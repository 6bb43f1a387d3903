// The generator: its stream is fixed for ever (recorded runs depend on it), its ranges are exact.

#include "core/random.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace evertick::core {
namespace {

TEST(Random, GivesTheReferenceStream) {
    Random random(0);  // xoshiro256** seeded by splitmix64 from 0, as other implementations give it
    EXPECT_EQ(random.next(), 0x99ec5f36cb75f2b4U);
    EXPECT_EQ(random.next(), 0xbf6e1f784956452aU);
    EXPECT_EQ(random.next(), 0x1a5f849d4933e6e0U);
    EXPECT_EQ(random.next(), 0x6aa594f1262d2d2cU);
}

TEST(Random, IsUsableAtCompileTime) {
    constexpr std::uint64_t kFirst = Random(0).next();
    EXPECT_EQ(kFirst, 0x99ec5f36cb75f2b4U);
}

TEST(Random, BelowReachesEveryValueAboutEquallyOften) {
    Random random(7);
    std::array<int, 6> seen{};
    for (int i = 0; i < 60'000; ++i) ++seen.at(random.below(6));
    for (const int count : seen) EXPECT_NEAR(count, 10'000, 500);
    EXPECT_EQ(random.below(1), 0U);
}

TEST(Random, BelowStaysBelowLargeBounds) {
    Random random(3);
    constexpr std::uint64_t kBound = (std::uint64_t{1} << 63) + 1;  // rejects almost half of all draws
    for (int i = 0; i < 1000; ++i) ASSERT_LT(random.below(kBound), kBound);
}

TEST(Random, BelowZeroAborts) {
    Random random(1);
    EXPECT_DEATH(random.below(0), "Random::below needs a bound above 0");
}

TEST(Random, UnitIsAtLeastZeroAndBelowOne) {
    Random random(5);
    double sum = 0;
    for (int i = 0; i < 10'000; ++i) {
        const double value = random.unit();
        ASSERT_GE(value, 0.0);
        ASSERT_LT(value, 1.0);
        sum += value;
    }
    EXPECT_NEAR(sum / 10'000, 0.5, 0.02);
}

TEST(Random, BetweenStaysInItsRange) {
    Random random(5);
    for (int i = 0; i < 1000; ++i) {
        const double value = random.between(-3, 2);
        ASSERT_GE(value, -3.0);
        ASSERT_LT(value, 2.0);
    }
    EXPECT_EQ(random.between(4, 4), 4.0);
}

TEST(Random, ContinuesFromASavedState) {
    Random random(11);
    for (int i = 0; i < 5; ++i) random.next();
    const Random::State saved = random.state();
    const std::uint64_t expected = random.next();
    Random restored(0);
    restored.set_state(saved);
    EXPECT_EQ(restored.next(), expected);
}

}  // namespace
}  // namespace evertick::core
