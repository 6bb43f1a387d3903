// Array's memory from malloc.

#include "core/heap_allocator.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <new>

namespace evertick::core {
namespace {

bool holds(ArrayBlock block, unsigned char byte, std::size_t count) {
    const auto* const bytes = static_cast<const unsigned char*>(block.data);
    for (std::size_t i = 0; i < count; ++i)
        if (bytes[i] != byte) return false;
    return true;
}

TEST(HeapAllocator, AllThatItSaysItGaveMayBeUsed) {
    for (std::size_t size = 1; size < 5000; size += 7) {
        const ArrayBlock block = HeapAllocator::allocate(size, 8);
        ASSERT_GE(block.size_bytes, size);
        std::memset(block.data, 0xAB, block.size_bytes);
        HeapAllocator::free(block, 8);
    }
}

TEST(HeapAllocator, ResizeKeepsTheBytesAndTheAlignment) {
    for (std::size_t alignment = 1; alignment <= 4096; alignment *= 2) {
        ArrayBlock block = HeapAllocator::allocate(100, alignment);
        std::memset(block.data, 0x5A, 100);
        for (const std::size_t size : {1000U, 100'000U, 1'000'000U, 3'000'000U, 500'000U, 200U, 100U}) {
            block = HeapAllocator::resize(block, size, alignment);
            ASSERT_GE(block.size_bytes, size);
            ASSERT_EQ(reinterpret_cast<std::uintptr_t>(block.data) % alignment, 0U)
                << size << " bytes aligned to " << alignment;
            ASSERT_TRUE(holds(block, 0x5A, 100));
        }
        HeapAllocator::free(block, alignment);
    }
}

TEST(HeapAllocator, MoreThanThereIsIsBadAllocAndLeavesTheBlock) {
    const ArrayBlock block = HeapAllocator::allocate(100, 8);
    std::memset(block.data, 0x5A, 100);
    for (const std::size_t size : {SIZE_MAX - 8, std::size_t{PTRDIFF_MAX}}) {
        EXPECT_THROW((void)HeapAllocator::allocate(size, 8), std::bad_alloc);
        EXPECT_THROW((void)HeapAllocator::allocate(size, 64), std::bad_alloc);
        EXPECT_THROW((void)HeapAllocator::resize(block, size, 8), std::bad_alloc);
    }
    EXPECT_TRUE(holds(block, 0x5A, 100));
    HeapAllocator::free(block, 8);
}

}  // namespace
}  // namespace evertick::core
