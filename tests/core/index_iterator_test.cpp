// IndexIterator: every operation of a random-access iterator, over any container with operator[].

#include "core/index_iterator.hpp"

#include <gtest/gtest.h>

#include <iterator>
#include <utility>
#include <vector>

namespace evertick::core {
namespace {

using Numbers = std::vector<int>;
using Iterator = IndexIterator<Numbers>;
using ConstIterator = IndexIterator<const Numbers>;

static_assert(std::random_access_iterator<Iterator> && std::random_access_iterator<ConstIterator>);
static_assert(std::indirectly_writable<Iterator, int> && !std::indirectly_writable<ConstIterator, int>);
static_assert(std::is_convertible_v<Iterator, ConstIterator> &&
              !std::is_convertible_v<ConstIterator, Iterator>);

TEST(IndexIterator, StepsForwardAndBack) {
    Numbers numbers{10, 11, 12, 13};
    Iterator at(numbers, 0);
    EXPECT_EQ(*at++, 10);
    EXPECT_EQ(*at, 11);
    EXPECT_EQ(*++at, 12);
    EXPECT_EQ(*at--, 12);
    EXPECT_EQ(*--at, 10);
}

TEST(IndexIterator, JumpsAndMeasures) {
    Numbers numbers{10, 11, 12, 13};
    const Iterator begin(numbers, 0);
    const Iterator end(numbers, 4);
    EXPECT_EQ(end - begin, 4);
    EXPECT_EQ(begin - end, -4);
    EXPECT_EQ(*(begin + 2), 12);
    EXPECT_EQ(*(2 + begin), 12);
    EXPECT_EQ(*(end - 1), 13);
    EXPECT_EQ(end[-2], 12);
    EXPECT_EQ((end - 3).index(), 1U);
}

TEST(IndexIterator, ComparesByPosition) {
    Numbers numbers{10, 11};
    const Iterator first(numbers, 0);
    const ConstIterator second(numbers, 1);
    EXPECT_LT(first, second);
    EXPECT_EQ(first + 1, second);
    EXPECT_NE(first, second);
}

TEST(IndexIterator, WritesThroughAndReachesMembers) {
    std::vector<std::pair<int, int>> pairs{{1, 2}};
    const IndexIterator<std::vector<std::pair<int, int>>> at(pairs, 0);
    at->second = 5;
    *at = {7, at->second};
    EXPECT_EQ(pairs[0], std::pair(7, 5));
}

TEST(IndexIterator, SurvivesGrowthOfItsContainer) {
    Numbers numbers{10};
    const Iterator first(numbers, 0);
    numbers.resize(10'000);
    EXPECT_EQ(*first, 10);
}

}  // namespace
}  // namespace evertick::core
