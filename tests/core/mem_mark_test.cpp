// MemMark: what popping restores, and which misuse it catches.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <utility>

#include "core/mem_stack.hpp"

namespace evertick::core {
namespace {

constexpr std::size_t kLarge = std::to_underlying(PageSize::large);

std::byte* bytes(void* address) { return static_cast<std::byte*>(address); }

TEST(MemMark, RestoresTheTop) {
    MemStack stack;
    const MemMark outer(stack);
    std::byte* const before = bytes(stack.allocate(16));
    {
        const MemMark mark(stack);
        (void)stack.allocate(1000);
    }
    EXPECT_EQ(stack.allocate(16), before + 16);
}

TEST(MemMark, RestoresTheTopAcrossAlignmentPadding) {
    MemStack stack;
    const MemMark outer(stack);
    std::byte* const before = bytes(stack.allocate(1, 1));
    {
        const MemMark mark(stack);
        (void)stack.allocate(1, 4096);
    }
    EXPECT_EQ(stack.allocate(1, 1), before + 1);
}

TEST(MemMark, RestoresTheTopAcrossPagesAndBlocks) {
    PageAllocator pages;
    MemStack stack(pages);
    const MemMark outer(stack);
    std::byte* const before = bytes(stack.allocate(16));
    {
        const MemMark mark(stack);
        for (int i = 0; i < 10; ++i) std::memset(stack.allocate(40'000), i, 40'000);
        for (int i = 0; i < 3; ++i) std::memset(stack.allocate(100'000), i, 100'000);
    }
    stack.check_invariants();
    EXPECT_EQ(stack.allocate(16), before + 16);
    EXPECT_EQ(stack.held_bytes(), 10 * kLarge) << "the page in use, and the others as spare ones";
    EXPECT_EQ(pages.stats().large_pages, 10U);
    EXPECT_EQ(pages.stats().block_pages, 0U) << "blocks are given back";
}

TEST(MemMark, RestoresTheTopAcrossPagesThatBeginWithPadding) {
    MemStack stack;
    const MemMark outer(stack);
    std::byte* const before = bytes(stack.allocate(1, 1));
    for (const std::size_t alignment : {64U, 1024U, 8192U, 32'768U}) {
        {
            const MemMark mark(stack);
            for (int i = 0; i < 8; ++i) std::memset(stack.allocate(30'000, alignment), i, 30'000);
        }
        stack.check_invariants();
        const MemMark mark(stack);
        EXPECT_EQ(stack.allocate(1, 1), before + 1) << "alignment " << alignment;
    }
}

TEST(MemMark, KeepsWhatIsOlder) {
    MemStack stack;
    const MemMark outer(stack);
    auto* const page_text = static_cast<char*>(stack.allocate(6));
    auto* const block_text = static_cast<char*>(stack.allocate(100'000));
    std::strcpy(page_text, "older");
    std::strcpy(block_text, "older");
    for (int i = 0; i < 3; ++i) {
        const MemMark mark(stack);
        std::memset(stack.allocate(60'000), 0xAB, 60'000);
        std::memset(stack.allocate(100'000), 0xAB, 100'000);
    }
    EXPECT_STREQ(page_text, "older");
    EXPECT_STREQ(block_text, "older");
}

TEST(MemMark, OfAnEmptyStackLeavesItEmptyButForABoundedNumberOfPages) {
    PageAllocator pages;
    MemStack stack(pages);
    for (const int count : {0, 10, 100}) {
        {
            const MemMark mark(stack);
            for (int i = 0; i < count; ++i) (void)stack.allocate(40'000);
        }
        EXPECT_FALSE(stack.has_mark());
        EXPECT_EQ(stack.held_bytes(),
                  std::min(static_cast<std::size_t>(count) * kLarge, kLarge + MemStack::kSpareBytes));
        EXPECT_EQ(pages.stats().large_pages * kLarge, stack.held_bytes());
        stack.check_invariants();
    }
}

TEST(MemMark, AnOversizeRequestDoesNotInflateTheNextPage) {
    MemStack stack;
    {
        const MemMark mark(stack);
        (void)stack.allocate(std::size_t{10} << 20);
    }
    const MemMark mark(stack);
    (void)stack.allocate(100);
    EXPECT_EQ(stack.held_bytes(), kLarge);
}

TEST(MemMark, Nests) {
    MemStack stack;
    const MemMark first(stack);
    std::byte* const a = bytes(stack.allocate(8));
    {
        const MemMark second(stack);
        std::byte* const b = bytes(stack.allocate(8));
        {
            const MemMark third(stack);
            (void)stack.allocate(200'000);
            (void)stack.allocate(60'000);
        }
        EXPECT_EQ(stack.allocate(8, 8), b + 8);
    }
    EXPECT_EQ(stack.allocate(8, 8), a + 8);
}

TEST(MemMark, WithoutAllocationsChangesNothing) {
    MemStack stack;
    const MemMark outer(stack);
    std::byte* const before = bytes(stack.allocate(8));
    for (int i = 0; i < 10; ++i) const MemMark mark(stack);
    EXPECT_EQ(stack.allocate(8, 8), before + 8);
}

TEST(MemMark, MayBePoppedEarlyAndOnlyOnceCounts) {
    MemStack stack;
    const MemMark outer(stack);
    std::byte* const before = bytes(stack.allocate(8));
    {
        MemMark mark(stack);
        (void)stack.allocate(100);
        mark.pop();
        EXPECT_EQ(stack.allocate(8, 8), before + 8);
        mark.pop();
    }  // nor does its destructor undo what came after
    EXPECT_EQ(stack.allocate(8, 8), before + 16);
}

TEST(MemMark, PoppedEarlyLeavesRoomForAnotherOne) {
    MemStack stack;
    MemMark first(stack);
    first.pop();
    {
        const MemMark second(stack);
        (void)stack.allocate(8);
    }
    EXPECT_FALSE(stack.has_mark());
}

TEST(MemMark, PoppingOutOfOrderAborts) {
    MemStack stack;
    MemMark older(stack);
    const MemMark newer(stack);
    EXPECT_DEATH(older.pop(), "MemMark popped out of order: a newer one on its stack is still live");
}

TEST(MemMark, DestroyingOutOfOrderAborts) {
    MemStack stack;
    std::optional<MemMark> older(std::in_place, stack);
    const MemMark newer(stack);
    EXPECT_DEATH(older.reset(), "MemMark popped out of order");
}

TEST(MemMark, MarksOfDifferentStacksAreIndependent) {
    MemStack one;
    MemStack two;
    MemMark first(one);
    MemMark second(two);
    first.pop();
    EXPECT_NE(two.allocate(8), nullptr);
}

TEST(MemMark, ReadingPoppedMemoryIsCaught) {
    MemStack stack;
    const MemMark outer(stack);
    (void)stack.allocate(8);  // keeps the page
    unsigned char* stale = nullptr;
    {
        const MemMark mark(stack);
        stale = static_cast<unsigned char*>(stack.allocate(64));
        std::memset(stale, 1, 64);
    }
    if constexpr (kAddressSanitizer) {
        EXPECT_DEATH({ *const_cast<volatile unsigned char*>(stale + 63) = 1; }, "use-after-poison");
    } else if constexpr (kDebugBuild) {
        for (int i = 0; i < 64; ++i) ASSERT_EQ(stale[i], kStaleByte);
    }
    std::memset(stack.allocate(64), 2, 64);  // and it can be used again
}

TEST(MemMark, WritingPastAnAllocationIsCaughtByAddressSanitizer) {
    MemStack stack;
    const MemMark mark(stack);
    auto* const last = static_cast<char*>(stack.allocate(13));
    std::memset(last, 1, 13);
    if constexpr (kAddressSanitizer) {
        EXPECT_DEATH({ *const_cast<volatile char*>(last + 13) = 1; }, "use-after-poison");
    }
}

}  // namespace
}  // namespace evertick::core
