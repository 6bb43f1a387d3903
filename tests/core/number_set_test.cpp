#include "core/number_set.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/random.hpp"

namespace evertick::core {
namespace {

TEST(NumberSet, StartsEmpty) {
    const NumberSet numbers(1000);
    EXPECT_TRUE(numbers.empty());
    EXPECT_EQ(numbers.lowest(), NumberSet::kNone);
    EXPECT_EQ(numbers.highest(), NumberSet::kNone);
    EXPECT_EQ(numbers.next(0), NumberSet::kNone);
}

TEST(NumberSet, KnowsItsLowestAndHighest) {
    NumberSet numbers(1U << 24U);
    for (const std::size_t number : {70'000U, 5U, (1U << 24U) - 1U}) numbers.insert(number);
    EXPECT_EQ(numbers.lowest(), 5U);
    EXPECT_EQ(numbers.highest(), (1U << 24U) - 1U);
    numbers.erase(5);
    EXPECT_EQ(numbers.lowest(), 70'000U);
    EXPECT_FALSE(numbers.contains(5));
}

TEST(NumberSet, InsertingAndErasingTwiceChangesNothing) {
    NumberSet numbers(200);
    numbers.insert(100);
    numbers.insert(100);
    numbers.erase(100);
    numbers.erase(100);
    EXPECT_TRUE(numbers.empty());
    numbers.check_invariants();
}

TEST(NumberSet, ShowsItsMembersAsWords) {
    NumberSet numbers(200);
    numbers.insert(64);
    numbers.insert(66);
    EXPECT_EQ(numbers.word(0), 0U);
    EXPECT_EQ(numbers.word(1), 0b101U);
}

TEST(NumberSetDeathTest, RefusesALimitItHasNoLevelsFor) {
    EXPECT_DEATH(NumberSet((std::size_t{1} << 24U) + 1), "the limit is over");
}

class NumberSetWalk : public testing::TestWithParam<std::size_t> {};

TEST_P(NumberSetWalk, AgreesWithAStdSet) {
    const std::size_t limit = GetParam();
    NumberSet numbers(limit);
    std::set<std::size_t> oracle;
    Random random(limit);
    for (int step = 0; step < 4000; ++step) {
        const std::size_t number = random.below(limit);
        if (random.below(2) == 0) {
            numbers.insert(number);
            oracle.insert(number);
        } else {
            const std::size_t member = numbers.next(number);
            const auto expected = oracle.lower_bound(number);
            ASSERT_EQ(member, expected == oracle.end() ? NumberSet::kNone : *expected)
                << "next of " << number;
            if (member == NumberSet::kNone) continue;
            numbers.erase(member);
            oracle.erase(member);
        }
        ASSERT_EQ(numbers.empty(), oracle.empty()) << "in step " << step;
        if (oracle.empty()) continue;
        ASSERT_EQ(numbers.lowest(), *oracle.begin()) << "in step " << step;
        ASSERT_EQ(numbers.highest(), *oracle.rbegin()) << "in step " << step;
    }
    numbers.check_invariants();
}

INSTANTIATE_TEST_SUITE_P(Limits, NumberSetWalk,
                         testing::Values(1, 63, 64, 65, 4095, 4096, 4097, 300'000, 1U << 24U));

}  // namespace
}  // namespace evertick::core
