// The policy by which PageAllocator gives idle memory back to the operating system.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "core/page_allocator.hpp"

namespace evertick::core {
namespace {

using Page = std::span<std::byte>;

constexpr std::size_t kSmall = std::to_underlying(PageSize::small);
constexpr std::size_t kLarge = std::to_underlying(PageSize::large);
constexpr std::size_t kKept = PageAllocator::kKeptIdleBytes / kLarge;  // large pages
constexpr std::size_t kPerTrim = PageAllocator::kTrimBytes / kLarge;

// One round of work: takes that many pages, writes to each, gives them back.
void use(PageAllocator& pages, std::size_t count, std::size_t size_bytes = kLarge) {
    std::vector<Page> held;
    for (std::size_t i = 0; i < count; ++i) {
        held.push_back(pages.allocate(size_bytes));
        std::memset(held.back().data(), 0xAB, held.back().size());
    }
    for (const Page page : held) pages.free(page);
}

TEST(PageAllocatorTrim, NothingGoesBackOnTheWay) {
    PageAllocator pages;
    use(pages, kKept + 50);
    EXPECT_EQ(pages.stats().large.idle, kKept + 50);
}

TEST(PageAllocatorTrim, PagesUsedSinceTheLastTrimStay) {
    PageAllocator pages;
    for (int round = 0; round < 5; ++round) {
        use(pages, kKept + 50);
        EXPECT_EQ(pages.trim(), 0U) << "in round " << round;
    }
}

TEST(PageAllocatorTrim, PagesIdleSinceTheLastTrimGoBack) {
    PageAllocator pages;
    use(pages, kKept + 10);
    pages.trim();  // they were in use until now
    use(pages, kKept + 7);
    EXPECT_EQ(pages.trim(), 0U) << "three idle pages are within what is kept";
    use(pages, 4);
    EXPECT_EQ(pages.trim(), 6 * kLarge) << "four were used, " << kKept << " are kept";
    const PageStats stats = pages.stats();
    EXPECT_EQ(stats.large.idle, kKept + 4);
    EXPECT_EQ(stats.large.returned, 6U);
    EXPECT_EQ(stats.reserved_bytes() - stats.committed_bytes(), 6 * kLarge);
    pages.check_invariants();
}

TEST(PageAllocatorTrim, GivesBackALimitedAmountAtATime) {
    PageAllocator pages;
    use(pages, kKept + 2 * kPerTrim + 1);
    pages.trim();
    EXPECT_EQ(pages.trim(), PageAllocator::kTrimBytes);
    EXPECT_EQ(pages.trim(), PageAllocator::kTrimBytes);
    EXPECT_EQ(pages.trim(), kLarge);
    EXPECT_EQ(pages.trim(), 0U);
    EXPECT_EQ(pages.stats().large.idle, kKept);
}

TEST(PageAllocatorTrim, ReturnedPagesHaveNoMemoryButAreUsedAgain) {
    PageAllocator pages;
    use(pages, kKept + 5);
    pages.trim();
    pages.trim();
    const std::size_t reserved = pages.stats().reserved_bytes();
    std::vector<Page> held;
    held.reserve(kKept + 5);
    for (std::size_t i = 0; i < kKept + 5; ++i) held.push_back(pages.allocate(kLarge));
    EXPECT_EQ(pages.stats().reserved_bytes(), reserved) << "no page is made while one is there";
    const auto fresh = std::ranges::count_if(held, [](Page page) { return page[100] == std::byte{0}; });
    EXPECT_EQ(fresh, 5) << "the system gives returned memory back as zeros";
    for (const Page page : held) pages.free(page);
    pages.check_invariants();
}

TEST(PageAllocatorTrim, BlocksGoBackToTheLast) {
    PageAllocator pages;
    use(pages, 2, 4 * kLarge);
    pages.trim();
    EXPECT_EQ(pages.trim(), 8 * kLarge);
    EXPECT_EQ(pages.stats().block.idle, 0U);
    EXPECT_EQ(pages.stats().block.returned, 2U);
}

TEST(PageAllocatorTrim, SmallPagesGoBackToTheHeap) {
    PageAllocator pages;
    use(pages, 20, kSmall);
    pages.trim();
    use(pages, 5, kSmall);
    EXPECT_EQ(pages.trim(), 15 * kSmall);
    EXPECT_EQ(pages.stats().small.idle, 5U);
    EXPECT_EQ(pages.stats().small.returned, 0U);
    EXPECT_EQ(pages.stats().reserved_bytes(), 5 * kSmall);
}

}  // namespace
}  // namespace evertick::core
