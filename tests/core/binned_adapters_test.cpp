#include "core/binned_adapters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <memory_resource>
#include <new>
#include <vector>

#include "core/array.hpp"

namespace evertick::core {
namespace {

struct alignas(64) Wide {
    int value = 0;
};

TEST(BinnedAdapters, ServeStandardContainers) {
    const std::uint64_t before = BinnedAllocator::process().allocations();
    std::map<int, int, std::less<>, BinnedStdAllocator<std::pair<const int, int>>> tree;
    for (int i = 0; i < 1000; ++i) tree[i * 7 % 1000] = i;
    EXPECT_EQ(tree.size(), 1000U);
    std::vector<Wide, BinnedStdAllocator<Wide>> wides(100);
    for (const Wide& wide : wides) EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&wide) % 64, 0U);
    EXPECT_GE(BinnedAllocator::process().allocations() - before, 1001U);
}

TEST(BinnedAdapters, RefuseACountThatOverflows) {
    BinnedStdAllocator<Wide> allocator;
    EXPECT_THROW((void)allocator.allocate(std::numeric_limits<std::size_t>::max() / 8),
                 std::bad_array_new_length);
}

TEST(BinnedAdapters, ServePmrContainers) {
    const std::uint64_t before = BinnedAllocator::process().allocations();
    std::pmr::vector<int> values(&binned_resource());
    for (int i = 0; i < 10'000; ++i) values.push_back(i);
    EXPECT_EQ(values[9'999], 9'999);
    EXPECT_GT(BinnedAllocator::process().allocations(), before);
    EXPECT_TRUE(binned_resource().is_equal(binned_resource()));
    EXPECT_FALSE(binned_resource().is_equal(*std::pmr::new_delete_resource()));
}

TEST(BinnedAdapters, AnArrayGrowsInPlaceIntoFreePages) {
    Array<double, BinnedArrayAllocator> numbers;
    numbers.reserve(100'000);
    const double* const data = numbers.data();
    for (int i = 0; i < 2'000'000; ++i) numbers.push_back(i);
    EXPECT_EQ(numbers.data(), data) << "the pages behind it were free";
    EXPECT_EQ(numbers[1'999'999], 1'999'999);
}

TEST(BinnedAdapters, GrowingInsideABinReturnsTheSameAddress) {
    const ArrayBlock block = BinnedArrayAllocator::allocate(130, 8);
    for (const std::size_t size : {131U, 144U, 129U})
        EXPECT_EQ(BinnedArrayAllocator::resize(block, size, 8).data, block.data) << size;
    const ArrayBlock moved = BinnedArrayAllocator::resize(block, 145, 8);
    EXPECT_NE(moved.data, block.data);
    BinnedArrayAllocator::free(moved, 8);
}

TEST(BinnedAdapters, ResizeKeepsTheBytesAndTheAlignmentAcrossBins) {
    for (std::size_t alignment = 1; alignment <= std::size_t{1} << 20; alignment *= 2) {
        ArrayBlock block = BinnedArrayAllocator::allocate(100, alignment);
        std::memset(block.data, 0x5A, 100);
        for (const std::size_t size : {110U, 1000U, 40'000U, 3'000'000U, 4'000'000U, 500U, 100U}) {
            block = BinnedArrayAllocator::resize(block, size, alignment);
            ASSERT_GE(block.size_bytes, size);
            ASSERT_EQ(reinterpret_cast<std::uintptr_t>(block.data) % alignment, 0U)
                << size << " bytes aligned to " << alignment;
            const auto* const bytes = static_cast<const unsigned char*>(block.data);
            ASSERT_EQ(std::count(bytes, bytes + 100, 0x5A), 100) << size << " bytes";
        }
        BinnedArrayAllocator::free(block, alignment);
    }
}

TEST(BinnedAdapters, AnArrayUsesAllOfItsCell) {
    Array<char, BinnedArrayAllocator> bytes;
    bytes.reserve(130);
    EXPECT_EQ(bytes.capacity(), 144U);
}

}  // namespace
}  // namespace evertick::core
