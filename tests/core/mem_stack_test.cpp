// MemStack: what one allocation gives, at every edge of a page.

#include "core/mem_stack.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

namespace evertick::core {
namespace {

constexpr std::size_t kLarge = std::to_underlying(PageSize::large);
constexpr std::size_t kSmall = std::to_underlying(PageSize::small);
constexpr std::size_t kHeader = 16;  // of a page

bool is_aligned(const void* address, std::size_t alignment) {
    return reinterpret_cast<std::uintptr_t>(address) % alignment == 0;
}

std::byte* bytes(void* address) { return static_cast<std::byte*>(address); }

TEST(MemStack, HoldsNothingBeforeItsFirstAllocation) {
    MemStack stack;
    const MemMark mark(stack);
    EXPECT_EQ(stack.held_bytes(), 0U);
    EXPECT_TRUE(stack.has_mark());
    stack.check_invariants();
}

TEST(MemStack, PutsOneAllocationRightAfterTheOther) {
    MemStack stack;
    const MemMark mark(stack);
    std::byte* const first = bytes(stack.allocate(24, 8));
    EXPECT_EQ(stack.allocate(8, 8), first + 24);
    EXPECT_EQ(stack.allocate(1, 1), first + 32);
    EXPECT_EQ(stack.allocate(4, 4), first + 36);
}

TEST(MemStack, KeepsEveryPowerOfTwoAlignment) {
    MemStack stack;
    const MemMark mark(stack);
    for (std::size_t alignment = 1; alignment <= std::size_t{1} << 20; alignment *= 2) {
        EXPECT_TRUE(is_aligned(stack.allocate(1, 1), 1));
        EXPECT_TRUE(is_aligned(stack.allocate(3, alignment), alignment)) << "alignment " << alignment;
        stack.check_invariants();
    }
}

TEST(MemStack, KeepsALargeAlignmentInTheFirstRequestOfAPage) {
    for (std::size_t alignment = 32; alignment <= 4 * kLarge; alignment *= 2) {
        MemStack stack;
        const MemMark mark(stack);
        void* const memory = stack.allocate(100, alignment);
        EXPECT_TRUE(is_aligned(memory, alignment)) << "alignment " << alignment;
        std::memset(memory, 1, 100);
    }
}

TEST(MemStack, AnAlignmentOverThatOfAPageIsMetWithinThePage) {
    MemStack stack;
    const MemMark mark(stack);
    (void)stack.allocate(1);
    for (const std::size_t alignment : {2048U, 4096U, 8192U, 16'384U, 32'768U})
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(stack.allocate(100, alignment)) % alignment, 0U)
            << alignment;
    EXPECT_EQ(stack.held_bytes(), kLarge);
    stack.check_invariants();
}

TEST(MemStack, GivesZeroSizeRequestsDistinctPointers) {
    MemStack stack;
    const MemMark mark(stack);
    void* const first = stack.allocate(0, 1);
    void* const second = stack.allocate(0, 1);
    EXPECT_NE(first, nullptr);
    EXPECT_NE(first, second);
    EXPECT_NE(second, stack.allocate(1, 1));
}

TEST(MemStack, ARequestNoMachineCanMeetIsBadAllocAndChangesNothing) {
    MemStack stack;
    const MemMark mark(stack);
    std::byte* const before = bytes(stack.allocate(16));
    for (const std::size_t size : {SIZE_MAX, SIZE_MAX - 8, SIZE_MAX / 2, std::size_t{1} << 60})
        EXPECT_THROW((void)stack.allocate(size), std::bad_alloc) << size;
    EXPECT_THROW((void)stack.allocate(1, std::size_t{1} << 63), std::bad_alloc);
    EXPECT_EQ(stack.allocate(16), before + 16);
    EXPECT_EQ(stack.held_bytes(), kLarge);
    stack.check_invariants();
}

TEST(MemStack, FillsAPageToTheLastByte) {
    MemStack stack;
    const MemMark mark(stack);
    std::memset(stack.allocate(kLarge - kHeader), 1, kLarge - kHeader);
    EXPECT_EQ(stack.held_bytes(), kLarge);
    std::memset(stack.allocate(1), 1, 1);
    EXPECT_EQ(stack.held_bytes(), 2 * kLarge);
}

TEST(MemStack, FallsThroughToANewPageWhenFull) {
    MemStack stack;
    const MemMark mark(stack);
    for (int i = 0; i < 100; ++i) std::memset(stack.allocate(4000), i, 4000);  // sixteen a page
    EXPECT_EQ(stack.held_bytes(), 7 * kLarge);
    stack.check_invariants();
}

TEST(MemStack, ALargeRequestGetsABlockAndLeavesThePageInUse) {
    MemStack stack;
    const MemMark mark(stack);
    std::byte* const before = bytes(stack.allocate(16));
    std::memset(stack.allocate(200'000), 1, 200'000);
    EXPECT_EQ(stack.held_bytes(), kLarge + 4 * kLarge);
    EXPECT_EQ(stack.allocate(16), before + 16) << "the page goes on";
}

TEST(MemStack, ThePageAfterALargeRequestIsOfNormalSize) {
    MemStack stack;
    const MemMark mark(stack);
    (void)stack.allocate(200'000);  // the first request of all
    EXPECT_EQ(stack.held_bytes(), 4 * kLarge);
    (void)stack.allocate(1);
    EXPECT_EQ(stack.held_bytes(), 4 * kLarge + kLarge);
    stack.check_invariants();
}

TEST(MemStack, MayUseSmallPages) {
    PageAllocator pages;
    MemStack stack(pages, PageSize::small);
    const MemMark mark(stack);
    for (int i = 0; i < 4; ++i) std::memset(stack.allocate(248, 8), i, 248);  // 4 x 248 + header is one page
    EXPECT_EQ(pages.stats().small_pages, 1U);
    std::memset(stack.allocate(248, 8), 4, 248);
    EXPECT_EQ(stack.held_bytes(), 2 * kSmall);
    (void)stack.allocate(2000);
    EXPECT_EQ(pages.stats().large_pages, 1U) << "more than a small page holds";
}

TEST(MemStack, ZeroedAndOnesFillUsedMemoryToo) {
    MemStack stack;
    const MemMark outer(stack);
    {
        const MemMark mark(stack);
        std::memset(stack.allocate(1000), 0x5A, 1000);
    }
    const std::byte* const zeroed = bytes(stack.allocate_zeroed(100));
    const std::byte* const ones = bytes(stack.allocate_ones(100, 64));
    for (int i = 0; i < 100; ++i) {
        ASSERT_EQ(zeroed[i], std::byte{0});
        ASSERT_EQ(ones[i], std::byte{0xFF});
    }
    EXPECT_TRUE(is_aligned(ones, 64));
}

TEST(MemStack, EachThreadHasItsOwn) {
    MemStack* other = nullptr;
    std::jthread([&other] { other = &MemStack::this_thread(); }).join();
    EXPECT_EQ(&MemStack::this_thread(), &MemStack::this_thread());
    EXPECT_NE(&MemStack::this_thread(), other);
}

TEST(MemStack, AnAlignmentThatIsNoPowerOfTwoAborts) {
    MemStack stack;
    const MemMark mark(stack);
    EXPECT_DEATH((void)stack.allocate(8, 24), "the alignment is not a power of two");
    EXPECT_DEATH((void)stack.allocate(8, 0), "the alignment is not a power of two");
}

TEST(MemStack, AllocatingWithoutALiveMarkAborts) {
    MemStack stack;
    constexpr const char* kMessage = "allocation without a live MemMark";
    EXPECT_DEATH((void)stack.allocate(1), kMessage);
    EXPECT_DEATH((void)stack.allocate(0, 1), kMessage);
    EXPECT_DEATH((void)stack.allocate(SIZE_MAX), kMessage);
    MemMark mark(stack);
    (void)stack.allocate(1);
    mark.pop();
    EXPECT_DEATH((void)stack.allocate(1), kMessage);
}

TEST(MemStack, DestroyedUnderALiveMarkAborts) {
    EXPECT_DEATH(
        {
            std::optional<MemMark> mark;  // outlives the stack
            MemStack stack;
            mark.emplace(stack);
        },
        "MemStack destroyed under a live MemMark");
}

TEST(MemStack, ExitUnderAMarkOfTheThreadsOwnIsNoError) {
    EXPECT_EXIT(
        {
            const MemMark mark;
            (void)MemStack::this_thread().allocate(100);
            std::exit(3);
        },
        ::testing::ExitedWithCode(3), "");
}

}  // namespace
}  // namespace evertick::core
