// PageAllocator: what it hands out, and that every page is accounted for.

#include "core/page_allocator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
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
                                        {5 * kLarge - 1, 5 * kLarge}}) {
        const Page page = pages.allocate(wanted);
        EXPECT_EQ(page.size(), given) << "for a request of " << wanted;
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(page.data()) % alignof(std::max_align_t), 0U);
        std::memset(page.data(), 0xAB, page.size());
        pages.free(page);
    }
}

TEST(PageAllocator, SixtyFourSmallPagesShareALargeOne) {
    PageAllocator pages;
    std::vector<Page> taken;
    for (int i = 0; i < 65; ++i) taken.push_back(pages.allocate(kSmall));
    EXPECT_EQ(pages.stats().small_page_hosts, 2U);
    for (const Page page : taken) pages.free(page);
    EXPECT_EQ(pages.stats().small_page_hosts, 0U) << "a host without a page in use goes back";
    pages.check_invariants();
}

TEST(PageAllocator, TheLowestFreePageIsTheNextHandedOut) {
    PageAllocator pages;
    const Page first = pages.allocate(1);
    const Page second = pages.allocate(1);
    const Page third = pages.allocate(1);
    pages.free(second);
    pages.free(first);
    EXPECT_EQ(pages.allocate(1).data(), first.data());
    EXPECT_EQ(pages.allocate(1).data(), second.data());
    for (const Page page : {first, second, third}) pages.free(page);
}

TEST(PageAllocator, CountsEachPageOnce) {
    PageSource source({.range_bytes = std::size_t{64} << 20});
    PageAllocator pages(source);
    const std::vector<Page> taken{pages.allocate(1), pages.allocate(1), pages.allocate(kLarge),
                                  pages.allocate(3 * kLarge)};
    pages.free(taken[0]);
    const PageStats stats = pages.stats();
    EXPECT_EQ(stats.small_pages, 1U);
    EXPECT_EQ(stats.small_page_hosts, 1U);
    EXPECT_EQ(stats.large_pages, 1U);
    EXPECT_EQ(stats.block_pages, 3U);
    EXPECT_EQ(stats.pages(), source.stats().live_pages);
    for (const Page page : {taken[1], taken[2], taken[3]}) pages.free(page);
    EXPECT_EQ(pages.stats().pages(), 0U);
    EXPECT_EQ(source.stats().live_pages, 0U);
    pages.check_invariants();
}

TEST(PageAllocator, BeyondTheAddressSpaceIsBadAlloc) {
    PageAllocator pages;
    EXPECT_THROW((void)pages.allocate(SIZE_MAX), std::bad_alloc);
    EXPECT_THROW((void)pages.allocate((std::size_t{1} << 46) + 1), std::bad_alloc);
    EXPECT_EQ(pages.stats().pages(), 0U);
}

TEST(PageAllocatorWalk, KeepsEveryPageApartAndCounted) {
    PageAllocator pages;
    Random random(11);
    std::map<std::byte*, std::size_t> held;  // begin, size
    for (int step = 0; step < 3000; ++step) {
        if (held.empty() || random.below(2) == 0) {
            const Page page =
                pages.allocate(random.below(3) == 0 ? random.below(4 * kLarge) : random.below(kSmall));
            const auto [at, is_new] = held.emplace(page.data(), page.size());
            ASSERT_TRUE(is_new) << "handed out twice in step " << step;
            ASSERT_TRUE(at == held.begin() || std::prev(at)->first + std::prev(at)->second <= at->first);
            ASSERT_TRUE(std::next(at) == held.end() || at->first + at->second <= std::next(at)->first);
        } else {
            const auto page = std::next(held.begin(), static_cast<std::ptrdiff_t>(random.below(held.size())));
            pages.free({page->first, page->second});
            held.erase(page);
        }
        std::size_t bytes = 0;
        for (const auto& [begin, size] : held) bytes += size;
        const PageStats stats = pages.stats();
        ASSERT_EQ(stats.small_pages * kSmall + (stats.large_pages + stats.block_pages) * kLarge, bytes);
        pages.check_invariants();
    }
    for (const auto& [begin, size] : held) pages.free({begin, size});
    EXPECT_EQ(pages.stats().pages(), 0U);
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
    EXPECT_EQ(pages.stats().pages(), 0U);
}

TEST(PageAllocator, APageMayBeFreedOnAnotherThread) {
    PageAllocator pages;
    const Page page = pages.allocate(kLarge);
    std::jthread([&] { pages.free(page); }).join();
    EXPECT_EQ(pages.stats().large_pages, 0U);
}

TEST(PageAllocator, TheChildOfAForkMayAllocate) {
    std::atomic<bool> end{false};
    std::thread busy([&end] {
        PageAllocator& pages = PageAllocator::process();
        while (!end) {
            pages.free(pages.allocate(100));
            std::this_thread::yield();  // or a fork may wait long for the lock
        }
    });
    for (int i = 0; i < 50; ++i) {
        const pid_t child = ::fork();
        if (child == 0) {
            ::alarm(30);  // rather than hang
            PageAllocator& pages = PageAllocator::process();
            pages.free(pages.allocate(100));
            ::_exit(0);
        }
        int status = 1;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0) << "the child could not allocate";
    }
    end = true;
    busy.join();
}

TEST(PageAllocator, FreeingWhatIsNoPageAborts) {
    PageAllocator pages;
    std::byte memory[100]{};
    EXPECT_DEATH(pages.free(memory), "no page has this size");
    std::byte page[kSmall]{};
    EXPECT_DEATH(pages.free(page), "the page is none of its own");
}

TEST(PageAllocator, APageFreedTwiceAborts) {
    PageAllocator pages;
    for (const std::size_t size : {kSmall, kLarge}) {
        const Page page = pages.allocate(size);
        const Page other = pages.allocate(size);
        pages.free(page);
        EXPECT_DEATH(pages.free(page), "in use");
        pages.free(other);
    }
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
