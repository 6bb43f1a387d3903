// What Array promises of room, growth, access, insertion and removal.

#include "core/array.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/core/checked_allocator.hpp"

namespace evertick::core {
namespace {

using test::AllocationLedger;
using test::CheckedAllocator;
using ::testing::ElementsAre;

using Checked = Array<int, CheckedAllocator>;

static_assert(std::ranges::contiguous_range<Array<int>> && std::ranges::sized_range<const Array<int>>);

Array<int> counting(int count) {
    Array<int> array;
    for (int i = 0; i < count; ++i) array.push_back(i);
    return array;
}

TEST(Array, StartsEmptyWithoutMemory) {
    const Array<int> array;
    EXPECT_TRUE(array.empty());
    EXPECT_EQ(array.size(), 0U);
    EXPECT_EQ(array.capacity(), 0U);
    EXPECT_EQ(array.allocated_bytes(), 0U);
    EXPECT_EQ(array.begin(), array.end());
    EXPECT_FALSE(array.is_valid_index(0));
    array.check_invariants();
}

TEST(Array, GrowsFromACacheLineByDoubling) {
    AllocationLedger ledger;
    Checked array{CheckedAllocator(ledger)};
    std::vector<std::size_t> capacities;
    for (int i = 0; i < 100; ++i) {
        array.push_back(i);
        if (capacities.empty() || array.capacity() != capacities.back())
            capacities.push_back(array.capacity());
    }
    EXPECT_THAT(capacities, ElementsAre(16U, 32U, 64U, 128U));
}

TEST(Array, TheFirstBlockHoldsFourLargerOrOneHugeElement) {
    struct Large {
        char bytes[1000];
    };
    struct Huge {
        char bytes[1025];
    };
    Array<Large> large;
    large.emplace_back();
    EXPECT_GE(large.capacity(), 4U);
    EXPECT_LT(large.capacity(), 6U);
    Array<Huge> huge;
    huge.emplace_back();
    EXPECT_EQ(huge.capacity(), 1U);
}

TEST(Array, TheCapacityIsAllThatTheAllocatorGave) {
    AllocationLedger ledger;
    Array<int, CheckedAllocator> array{CheckedAllocator(ledger)};
    array.reserve(100);  // 400 bytes of a block of 512
    EXPECT_EQ(array.capacity(), 128U);
    EXPECT_EQ(array.allocated_bytes(), 512U);
    for (int i = 0; i < 128; ++i) array.push_back(i);
    EXPECT_EQ(ledger.allocations, 1);
}

TEST(Array, ShrinkingWithinWhatWasGivenStaysInPlace) {
    AllocationLedger ledger;
    Checked array{CheckedAllocator(ledger)};
    array.resize(100);
    const int* const data = array.data();
    array.shrink_to_fit();
    EXPECT_EQ(array.data(), data);
    EXPECT_EQ(ledger.resized_in_place, 1);
    EXPECT_EQ(ledger.allocations, 1);
}

TEST(Array, ReserveTwiceUnusedHoldsOneBlock) {
    AllocationLedger ledger;
    {
        Checked array{CheckedAllocator(ledger)};
        array.reserve(100);
        array.reserve(1000);
        EXPECT_EQ(ledger.live.size(), 1U);
        EXPECT_GE(array.capacity(), 1000U);
        array.reserve(10);
        EXPECT_GE(array.capacity(), 1000U) << "never less";
        EXPECT_TRUE(array.empty());
    }
    EXPECT_EQ(ledger.live.size(), 0U);
}

TEST(Array, ReserveOneIsRoomForOne) {
    AllocationLedger ledger;
    Checked array{CheckedAllocator(ledger)};
    array.reserve(1);
    EXPECT_EQ(array.capacity(), 1U);
    array.push_back(7);
    EXPECT_EQ(ledger.allocations, 1);
    array.push_back(8);
    EXPECT_THAT(array, ElementsAre(7, 8));
}

TEST(Array, NothingAsksForNoMemory) {
    AllocationLedger ledger;
    Checked array{CheckedAllocator(ledger)};
    array.reserve(0);
    array.resize(0);
    array.append({});
    array.erase(0, 0);
    array.shrink_to_fit();
    array.clear();
    EXPECT_EQ(array.remove_swap(1), 0U);
    const Checked copy = array;
    EXPECT_TRUE(copy.empty());
    EXPECT_EQ(ledger.allocations, 0);
}

TEST(Array, MoreThanThereIsIsBadAllocAndChangesNothing) {
    Array<std::uint64_t> array{1, 2, 3};
    const std::uint64_t* const data = array.data();
    EXPECT_THROW(array.reserve(SIZE_MAX), std::bad_array_new_length);
    EXPECT_THROW(array.reserve(SIZE_MAX / 8 + 2), std::bad_array_new_length) << "times 8 it is 8 bytes";
    EXPECT_THROW(array.resize(SIZE_MAX - 1), std::bad_array_new_length);
    EXPECT_THROW(array.reserve((SIZE_MAX - 8) / 8), std::bad_array_new_length);
    EXPECT_EQ(array.data(), data);
    EXPECT_THAT(array, ElementsAre(1U, 2U, 3U));
    array.check_invariants();
}

TEST(Array, AnAllocatorThatRunsOutLeavesTheArrayAsItWas) {
    AllocationLedger ledger;
    Checked array({1, 2, 3}, CheckedAllocator(ledger));
    array.shrink_to_fit();
    while (array.size() < array.capacity()) array.push_back(4);
    const std::vector<int> before(array.begin(), array.end());
    ledger.fail_after = 0;
    EXPECT_THROW(array.push_back(array[0]), std::bad_alloc);
    EXPECT_THROW(array.insert(1, 5), std::bad_alloc);
    EXPECT_THROW(array.append(array), std::bad_alloc);
    EXPECT_THROW(array.resize(100), std::bad_alloc);
    EXPECT_THROW(array.reserve(100), std::bad_alloc);
    EXPECT_THROW(Checked{array}, std::bad_alloc);
    EXPECT_EQ(std::vector<int>(array.begin(), array.end()), before);
    array.check_invariants();
}

TEST(Array, ClearKeepsTheCapacity) {
    Array<int> array = counting(100);
    const std::size_t capacity = array.capacity();
    const int* const data = array.data();
    array.clear();
    EXPECT_TRUE(array.empty());
    EXPECT_EQ(array.capacity(), capacity);
    array.push_back(1);
    EXPECT_EQ(array.data(), data);
}

TEST(Array, ShrinkToFitOfAnEmptyOneGivesAllBack) {
    Array<int> array = counting(100);
    array.clear();
    array.shrink_to_fit();
    EXPECT_EQ(array.allocated_bytes(), 0U);
    EXPECT_EQ(array.data(), nullptr);
}

TEST(Array, EmplaceBackReturnsTheElement) {
    struct Point {
        int x, y;
    };
    Array<Point> array;
    for (int i = 0; i < 20; ++i) {
        Point& point = array.emplace_back(i, -i);
        ASSERT_EQ(&point, &array.back());
        ASSERT_EQ(point.y, -i);
    }
}

TEST(Array, ResizeValueInitialisesUsedMemoryToo) {
    Array<int> array;
    for (int i = 0; i < 10; ++i) array.push_back(-1);
    array.resize(3);
    array.resize(10);
    EXPECT_THAT(array, ElementsAre(-1, -1, -1, 0, 0, 0, 0, 0, 0, 0));
}

TEST(Array, AppendAddsASpanAndInsertOneAnywhere) {
    Array<int> array{1, 2};
    const std::vector<int> more{3, 4, 5};
    array.append(more);
    EXPECT_EQ(array.insert(0, 0), 0);
    array.insert(6, 6);
    array.insert(3, 9);
    EXPECT_THAT(array, ElementsAre(0, 1, 2, 9, 3, 4, 5, 6));
}

TEST(Array, EraseKeepsTheOrder) {
    Array<int> array = counting(8);
    array.erase(2);
    array.erase(0, 2);
    EXPECT_THAT(array, ElementsAre(3, 4, 5, 6, 7));
    array.erase(3, 2);
    EXPECT_THAT(array, ElementsAre(3, 4, 5));
    array.erase(3, 0);
    array.erase(0, 3);
    EXPECT_TRUE(array.empty());
}

TEST(Array, RemoveAtSwapMovesTheLastElementIntoTheHole) {
    Array<int> array = counting(6);
    array.remove_at_swap(1);
    EXPECT_THAT(array, ElementsAre(0, 5, 2, 3, 4));
    array.remove_at_swap(4);  // the last one itself
    EXPECT_THAT(array, ElementsAre(0, 5, 2, 3));
}

TEST(Array, RemoveSwapRemovesAllThatAreEqual) {
    Array<int> array{7, 1, 7, 7, 2, 7};
    EXPECT_EQ(array.remove_swap(7), 4U);
    EXPECT_THAT(array, ::testing::UnorderedElementsAre(1, 2));
    EXPECT_EQ(array.remove_swap(7), 0U);
}

TEST(Array, RemoveIfSwapAsksAboutEachElementOnce) {
    Array<int> array = counting(10);
    std::vector<int> asked;
    const std::size_t removed = array.remove_if_swap([&asked](int value) {
        asked.push_back(value);
        return value % 3 == 0;
    });
    EXPECT_EQ(removed, 4U);
    EXPECT_THAT(array, ::testing::UnorderedElementsAre(1, 2, 4, 5, 7, 8));
    std::ranges::sort(asked);
    EXPECT_THAT(asked, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
}

TEST(Array, IsASpanAndARange) {
    Array<int> array = counting(4);
    const std::span<int> span = array;
    span[0] = 9;
    std::ranges::sort(array, std::greater());
    const std::span<const int> read_only = std::as_const(array);
    EXPECT_THAT(read_only, ElementsAre(9, 3, 2, 1));
    EXPECT_EQ(std::accumulate(array.cbegin(), array.cend(), 0), 15);
}

TEST(Array, ComparesElementByElement) {
    EXPECT_EQ((Array<int>{1, 2}), (Array<int>{1, 2}));
    EXPECT_NE((Array<int>{1, 2}), (Array<int>{1, 2, 3}));
    EXPECT_LT((Array<int>{1, 2}), (Array<int>{1, 2, 3}));
    EXPECT_GT((Array<std::string>{"b"}), (Array<std::string>{"a", "z"}));
    EXPECT_EQ(Array<int>(), Array<int>());
}

TEST(Array, FrontAndBackAreTheEnds) {
    Array<int> array = counting(5);
    EXPECT_EQ(array.front(), 0);
    EXPECT_EQ(std::as_const(array).back(), 4);
    array.pop_back();
    EXPECT_EQ(array.back(), 3);
}

TEST(ArrayDeath, APositionOutOfRangeAborts) {
    Array<int> array = counting(3);
    EXPECT_DEATH((void)array.at(3), "Array::at: index out of range");
    EXPECT_DEATH((void)std::as_const(array).at(SIZE_MAX), "Array::at: index out of range");
    EXPECT_DEATH(array.erase(3), "Array::erase: range out of range");
    EXPECT_DEATH(array.erase(1, SIZE_MAX), "Array::erase: range out of range");
    EXPECT_DEATH(array.remove_at_swap(3), "Array::remove_at_swap: index out of range");
    EXPECT_DEATH(array.insert(4, 0), "Array::emplace: index out of range");
    array.clear();
    EXPECT_DEATH(array.pop_back(), "Array::pop_back: the array is empty");
    if constexpr (kDebugBuild) {
        EXPECT_DEATH((void)array[0], "Array: index out of range");
        EXPECT_DEATH((void)array.back(), "Array: index out of range");
    }
}

}  // namespace
}  // namespace evertick::core
