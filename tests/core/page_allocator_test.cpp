// PageAllocator: what it hands out, and that every page is accounted for.

#include "core/page_allocator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/random.hpp"

namespace evertick::core {
namespace {

using Page = std::span<std::byte>;

constexpr std::size_t kSmall = std::to_underlying(PageSize::small);
constexpr std::size_t kLarge = std::to_underlying(PageSize::large);

TEST(PageAllocator, HandsOutTheSmallestKindThatFits) {
    PageAllocator pages;
    for (const auto& [wanted, given] : {std::pair{std::size_t{0}, kSmall},
                                        {kSmall, kSmall},
                                        {kSmall + 1, kLarge},
                                        {kLarge, kLarge},
                                        {kLarge + 1, 2 * kLarge},
                                        {2 * kLarge, 2 * kLarge},
                                        {5 * kLarge, 8 * kLarge}}) {
        const Page page = pages.allocate(wanted);
        EXPECT_EQ(page.size(), given) << "for a request of " << wanted;
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(page.data()) % alignof(std::max_align_t), 0U);
        std::memset(page.data(), 0xAB, page.size());
        pages.free(page);
    }
}

TEST(PageAllocator, ASmallPageAndMallocsHeaderMakeOneKibibyte) {
    EXPECT_EQ(kSmall + 2 * sizeof(void*), 1024U);
}

TEST(PageAllocator, TheLastPageFreedIsTheNextHandedOut) {
    PageAllocator pages;
    const Page first = pages.allocate(kLarge);
    const Page second = pages.allocate(kLarge);
    pages.free(second);
    pages.free(first);
    EXPECT_EQ(pages.allocate(kLarge).data(), first.data());
    EXPECT_EQ(pages.allocate(kLarge).data(), second.data());
    pages.free(first);
    pages.free(second);
}

TEST(PageAllocator, CountsEachPageOnce) {
    PageAllocator pages;
    const std::vector<Page> taken{pages.allocate(1), pages.allocate(1), pages.allocate(kLarge),
                                  pages.allocate(3 * kLarge)};
    pages.free(taken[0]);
    const PageStats stats = pages.stats();
    EXPECT_EQ(stats.small.live, 1U);
    EXPECT_EQ(stats.small.idle, 1U);
    EXPECT_EQ(stats.small.returned, 0U);
    EXPECT_EQ(stats.large.live_bytes, kLarge);
    EXPECT_EQ(stats.block.live, 1U);
    EXPECT_EQ(stats.block.live_bytes, 4 * kLarge);
    EXPECT_EQ(stats.committed_bytes(), 2 * kSmall + 5 * kLarge);
    EXPECT_EQ(stats.reserved_bytes(), stats.committed_bytes());
    for (const Page page : {taken[1], taken[2], taken[3]}) pages.free(page);
    EXPECT_EQ(pages.stats().large.live_bytes + pages.stats().block.live_bytes, 0U);
    pages.check_invariants();
}

TEST(PageAllocator, BeyondTheAddressSpaceIsBadAlloc) {
    PageAllocator pages;
    EXPECT_THROW((void)pages.allocate(SIZE_MAX), std::bad_alloc);
    EXPECT_THROW((void)pages.allocate((std::size_t{1} << 46) + 1), std::bad_alloc);
    EXPECT_EQ(pages.stats().reserved_bytes(), 0U);
}

TEST(PageAllocator, MayBeUsedFromManyThreads) {
    PageAllocator pages;
    const auto churn = [&pages](std::uint64_t seed) {
        Random random(seed);
        std::vector<Page> held;
        for (int i = 0; i < 2000; ++i) {
            if (held.size() < 8 && random.below(2) == 0) {
                held.push_back(pages.allocate(random.below(3 * kLarge)));
                held.back().front() = static_cast<std::byte>(seed);
            } else if (!held.empty()) {
                ASSERT_EQ(held.back().front(), static_cast<std::byte>(seed)) << "nobody else has this page";
                pages.free(held.back());
                held.pop_back();
            }
        }
        for (const Page page : held) pages.free(page);
    };
    std::vector<std::jthread> threads;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) threads.emplace_back(churn, seed);
    threads.clear();
    pages.check_invariants();
    const PageStats stats = pages.stats();
    EXPECT_EQ(stats.small.live + stats.large.live + stats.block.live, 0U);
}

TEST(PageAllocator, APageMayBeFreedOnAnotherThread) {
    PageAllocator pages;
    const Page page = pages.allocate(kLarge);
    std::jthread([&] { pages.free(page); }).join();
    EXPECT_EQ(pages.stats().large.idle, 1U);
}

TEST(PageAllocator, FreeingWhatIsNoPageAborts) {
    PageAllocator pages;
    std::byte memory[100]{};
    EXPECT_DEATH(pages.free(memory), "no page has this size");
    std::byte page[kSmall]{};
    EXPECT_DEATH(pages.free(page), "no page of this size is in use");
}

TEST(PageAllocator, APageFreedTwiceIsFoundByItsInvariants) {
    PageAllocator pages;
    const Page page = pages.allocate(kLarge);
    const Page other = pages.allocate(kLarge);
    EXPECT_DEATH(
        {
            pages.free(page);
            pages.free(page);
            pages.check_invariants();
        },
        "a page was freed twice");
    pages.free(page);
    pages.free(other);
}

TEST(PageAllocator, DestroyedWhilePagesAreInUseAborts) {
    EXPECT_DEATH(
        {
            PageAllocator pages;
            (void)pages.allocate(1);
        },
        "PageAllocator destroyed while pages are in use");
}

}  // namespace
}  // namespace evertick::core
