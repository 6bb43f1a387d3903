// What ChunkedArray promises of growth, removal, room and walking.

#include "core/chunked_array.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace evertick::core {
namespace {

using ::testing::ElementsAre;

using Four = ChunkedArray<int, 16>;  // four ints a chunk: borders come soon
static_assert(Four::kElementsPerChunk == 4);

Four counting(int count) {
    Four array;
    for (int i = 0; i < count; ++i) array.push_back(i);
    return array;
}

TEST(ChunkedArray, AChunkHoldsTheLargestPowerOfTwoThatFits) {
    struct TwelveBytes {
        float x, y, z;
    };
    struct AlmostAChunk {
        char bytes[16383];
    };
    struct TwoChunks {
        char bytes[32768];
    };
    EXPECT_EQ(ChunkedArray<int>::kElementsPerChunk, 4096U);
    EXPECT_EQ(ChunkedArray<TwelveBytes>::kElementsPerChunk, 1024U);  // 1365 fit
    EXPECT_EQ(ChunkedArray<AlmostAChunk>::kElementsPerChunk, 1U);
    EXPECT_EQ(ChunkedArray<TwoChunks>::kElementsPerChunk, 1U);
    EXPECT_EQ((ChunkedArray<int, 1>::kElementsPerChunk), 1U);
}

TEST(ChunkedArray, StartsEmptyWithoutMemory) {
    const ChunkedArray<int> array;
    EXPECT_TRUE(array.empty());
    EXPECT_EQ(array.size(), 0U);
    EXPECT_EQ(array.capacity(), 0U);
    EXPECT_EQ(array.allocated_bytes(), 0U);
    EXPECT_FALSE(array.is_valid_index(0));
    EXPECT_TRUE(array.chunks().empty());
}

TEST(ChunkedArray, ReferencesStayValidOver100000PushBacks) {
    ChunkedArray<std::uint64_t> array;
    std::uint64_t& first = array.emplace_back(42U);
    std::vector<std::uint64_t*> addresses{&first};
    for (std::uint64_t i = 1; i <= 100'000; ++i) addresses.push_back(&array.emplace_back(i));
    EXPECT_EQ(first, 42U);
    for (std::size_t i = 0; i < addresses.size(); ++i) ASSERT_EQ(addresses[i], &array[i]) << "element " << i;
}

TEST(ChunkedArray, PushBackOfItsOwnElementWhileGrowing) {
    ChunkedArray<std::string, 2 * sizeof(std::string)> array;
    array.push_back("longer than the small string buffer");
    for (int i = 0; i < 1000; ++i) array.push_back(array[0]);
    for (const std::string& text : array) ASSERT_EQ(text, "longer than the small string buffer");
}

TEST(ChunkedArray, EmplaceBackReturnsTheElement) {
    struct Point {
        int x, y;
    };
    ChunkedArray<Point> array;
    Point& point = array.emplace_back(1, 2);
    EXPECT_EQ(&point, &array[0]);
    EXPECT_EQ(point.x, 1);
    EXPECT_EQ(point.y, 2);
}

TEST(ChunkedArray, AddReturnsTheFirstNewIndex) {
    Four array = counting(3);
    EXPECT_EQ(array.add(6), 3U);
    EXPECT_EQ(array.add(0), 9U);
    EXPECT_EQ(array.size(), 9U);
}

TEST(ChunkedArray, AddValueInitialisesUsedMemoryToo) {
    Four array;
    for (int i = 0; i < 10; ++i) array.push_back(-1);
    array.clear();
    array.add(10);
    EXPECT_THAT(std::vector<int>(array.begin(), array.end()), ::testing::Each(0));
}

TEST(ChunkedArray, AddOrReserveBeyondAllMemoryIsBadAllocAndChangesNothing) {
    Four array = counting(5);
    EXPECT_THROW(array.add(SIZE_MAX), std::bad_alloc);
    EXPECT_THROW(array.add(SIZE_MAX - 4), std::bad_alloc);  // 5 + this wraps around to 0
    EXPECT_THROW(array.reserve(SIZE_MAX), std::bad_alloc);
    EXPECT_EQ(array.size(), 5U);
    EXPECT_EQ(array.capacity(), 8U);
}

TEST(ChunkedArray, RemoveAtSwapMovesTheLastElementIntoTheHole) {
    Four array = counting(6);
    array.remove_at_swap(1);
    EXPECT_THAT(array, ElementsAre(0, 5, 2, 3, 4));
    array.remove_at_swap(4);  // the last one itself
    EXPECT_THAT(array, ElementsAre(0, 5, 2, 3));
}

TEST(ChunkedArray, PopBackThenPushBackReusesTheSlot) {
    Four array = counting(5);
    const int* const last = &array.back();
    array.pop_back();
    EXPECT_EQ(&array.emplace_back(9), last);
    EXPECT_THAT(array, ElementsAre(0, 1, 2, 3, 9));
}

TEST(ChunkedArray, FrontAndBackAreTheEnds) {
    Four array = counting(5);
    EXPECT_EQ(array.front(), 0);
    EXPECT_EQ(std::as_const(array).back(), 4);
}

TEST(ChunkedArray, ReserveMakesRoomInWholeChunks) {
    Four array = counting(1);
    array.reserve(9);
    EXPECT_EQ(array.capacity(), 12U);
    const std::size_t bytes = array.allocated_bytes();
    array.reserve(5);  // never less
    array.add(11);
    EXPECT_EQ(array.allocated_bytes(), bytes) << "filling reserved room must not allocate";
}

TEST(ChunkedArray, ClearKeepsTheChunks) {
    Four array = counting(9);
    array.clear();
    EXPECT_EQ(array.size(), 0U);
    EXPECT_EQ(array.capacity(), 12U);
}

TEST(ChunkedArray, ClearWithSlackLeavesRoomForExactlyThat) {
    Four array = counting(20);
    array.clear(5);
    EXPECT_TRUE(array.empty());
    EXPECT_EQ(array.capacity(), 8U);
    array.clear(16);
    EXPECT_EQ(array.capacity(), 16U);
    array.clear(0);
    EXPECT_EQ(array.capacity(), 0U);
}

TEST(ChunkedArray, ShrinkToFitGivesBackEmptyChunksOnly) {
    Four array = counting(20);
    while (array.size() > 5) array.pop_back();
    array.shrink_to_fit();
    EXPECT_EQ(array.capacity(), 8U);
    EXPECT_THAT(array, ElementsAre(0, 1, 2, 3, 4));
    array.clear();
    array.shrink_to_fit();
    EXPECT_EQ(array.allocated_bytes(), 0U);
}

TEST(ChunkedArray, AllocatedBytesCountsChunksAndTheirTable) {
    Four array = counting(5);
    EXPECT_GE(array.allocated_bytes(), 32 + 2 * sizeof(void*));
    EXPECT_LE(array.allocated_bytes(), 32 + 4 * sizeof(void*));
}

TEST(ChunkedArray, ChunksAreFullSpansButTheLast) {
    Four array = counting(10);
    std::vector<std::size_t> sizes;
    for (const std::span<int> chunk : array.chunks()) {
        sizes.push_back(chunk.size());
        for (int& value : chunk) value *= 2;
    }
    EXPECT_THAT(sizes, ElementsAre(4, 4, 2));
    EXPECT_EQ(array.chunk_count(), 3U);
    EXPECT_THAT(array.chunk(2), ElementsAre(16, 18));
    EXPECT_THAT(array, ElementsAre(0, 2, 4, 6, 8, 10, 12, 14, 16, 18));
}

TEST(ChunkedArray, ChunksOfAConstArrayAreConstSpans) {
    const Four array = counting(8);
    static_assert(std::is_same_v<decltype(array.chunks()[0]), std::span<const int>>);
    int sum = 0;
    for (const std::span<const int> chunk : array.chunks()) sum += std::reduce(chunk.begin(), chunk.end());
    EXPECT_EQ(array.chunks().size(), 2U);
    EXPECT_EQ(sum, 28);
}

TEST(ChunkedArray, SpareChunksAreNotWalked) {
    Four array = counting(9);
    array.pop_back();
    EXPECT_EQ(array.chunks().size(), 2U);
}

TEST(ChunkedArray, IteratorsAreRandomAccessAndSort) {
    static_assert(std::random_access_iterator<Four::iterator>);
    static_assert(std::random_access_iterator<Four::const_iterator>);
    static_assert(std::ranges::random_access_range<Four> && std::ranges::sized_range<const Four>);
    Four array;
    for (const int value : {5, 1, 4, 2, 3, 0}) array.push_back(value);
    std::ranges::sort(array);
    EXPECT_THAT(array, ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(ChunkedArray, IteratorsSurviveGrowth) {
    Four array = counting(2);
    const Four::const_iterator second = array.begin() + 1;
    for (int i = 2; i < 1000; ++i) array.push_back(i);
    EXPECT_EQ(*second, 1);
    EXPECT_EQ(second[500], 501);
}

TEST(ChunkedArray, CheckedAccessOutOfRangeAborts) {
    Four array = counting(3);
    EXPECT_EQ(array.at(2), 2);
    EXPECT_EQ(std::as_const(array).at(0), 0);
    EXPECT_DEATH(array.at(3), "ChunkedArray::at: index out of range");
    if constexpr (kDebugBuild) {
        EXPECT_DEATH(array[3], "ChunkedArray: index out of range");
    }
}

TEST(ChunkedArray, RemovingWhatIsNotThereAborts) {
    Four array;
    EXPECT_DEATH(array.pop_back(), "ChunkedArray::pop_back: the array is empty");
    EXPECT_DEATH(array.remove_at_swap(0), "ChunkedArray::remove_at_swap: index out of range");
}

}  // namespace
}  // namespace evertick::core
