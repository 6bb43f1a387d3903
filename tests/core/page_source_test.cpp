// PageSource: what it hands out and in which order, and that every page is accounted for.

#include "core/page_source.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "core/random.hpp"

namespace evertick::core {
namespace {

constexpr std::size_t kPage = PageSource::kPageBytes;
constexpr std::size_t kSlab = PageSource::kPagesPerSlab;
constexpr PageSource::Options kSmallRange{.range_bytes = std::size_t{64} << 20};

TEST(PageSource, HandsOutTheLowestPageThatHasMemory) {
    PageSource source(kSmallRange);
    void* const first = source.allocate();
    void* const second = source.allocate();
    void* const third = source.allocate();
    EXPECT_EQ(source.page_number(first), 0U);
    EXPECT_EQ(source.page_number(third), 2U);
    source.free(second);
    source.free(first);
    EXPECT_EQ(source.allocate(), first);
    EXPECT_EQ(source.allocate(), second);
    for (void* const page : {first, second, third}) source.free(page);
}

TEST(PageSource, RunsAreNeighboursAndFillTheFirstGapThatFits) {
    PageSource source(kSmallRange);
    void* const run = source.allocate(5);
    void* const after = source.allocate();
    EXPECT_EQ(source.page_number(after), 5U);
    std::memset(run, 0xAB, 5 * kPage);
    source.free(run, 5);
    EXPECT_EQ(source.page_number(source.allocate(6)), 6U) << "six do not fit the gap of five";
    EXPECT_EQ(source.page_number(source.allocate(5)), 0U);
    source.free(source.page(0), 12);
}

TEST(PageSource, AlignsRuns) {
    PageSource source(kSmallRange);
    (void)source.allocate();
    void* const aligned = source.allocate(3, 4 * kPage);
    EXPECT_EQ(source.page_number(aligned), 4U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(aligned) % (4 * kPage), 0U);
    void* const slab = source.allocate(1, PageSource::kSlabBytes);
    EXPECT_EQ(source.page_number(slab), kSlab);
    source.free(source.page(0));
    source.free(aligned, 3);
    source.free(slab);
    source.check_invariants();
}

TEST(PageSource, ARunMayBeFreedInParts) {
    PageSource source(kSmallRange);
    void* const run = source.allocate(4);
    source.free(source.page(2), 2);
    EXPECT_EQ(source.stats().live_pages, 2U);
    source.free(run, 2);
    EXPECT_EQ(source.stats().largest_free_run, kSlab);
    source.check_invariants();
}

TEST(PageSource, ExtendsARunIntoFreePagesOnly) {
    PageSource source(kSmallRange);
    void* const run = source.allocate(2);
    EXPECT_TRUE(source.extend(run, 2, 40)) << "over the frontier";
    void* const other = source.allocate();
    EXPECT_EQ(source.page_number(other), 40U);
    EXPECT_FALSE(source.extend(run, 40, 41)) << "page 40 is in use";
    EXPECT_FALSE(source.extend(other, 1, source.page_limit())) << "beyond the range";
    EXPECT_EQ(source.stats().live_pages, 41U);
    source.free(run, 40);
    source.free(other);
    source.check_invariants();
}

TEST(PageSource, CountsEachPageOnce) {
    PageSource source(kSmallRange);
    void* const pages = source.allocate(3);
    source.free(source.page(1));
    const PageSourceStats stats = source.stats();
    EXPECT_EQ(stats.live_pages, 2U);
    EXPECT_EQ(stats.idle_pages, 1U);
    EXPECT_EQ(stats.returned_pages, kSlab - 3) << "the rest of the slab was never touched";
    EXPECT_EQ(stats.committed_bytes(), 3 * kPage);
    EXPECT_EQ(stats.range_pages, source.page_limit());
    source.free(pages);
    source.free(source.page(2));
}

TEST(PageSource, AFullRangeIsBadAllocAndLosesNothing) {
    PageSource source({.range_bytes = 4 * PageSource::kSlabBytes});
    void* const most = source.allocate(source.page_limit() - 1);
    EXPECT_THROW((void)source.allocate(2), std::bad_alloc);
    EXPECT_THROW((void)source.allocate(std::size_t{1} << 60U), std::bad_alloc);
    EXPECT_THROW((void)source.allocate(~std::size_t{0}), std::bad_alloc);
    void* const last = source.allocate();
    EXPECT_THROW((void)source.allocate(), std::bad_alloc);
    source.free(last);
    source.free(most, source.page_limit() - 1);
    source.check_invariants();
}

// The flags of the mapping that an address lies in, as the kernel tells them.
std::string mapping_flags(const void* address) {
    std::ifstream maps("/proc/self/smaps");
    const auto wanted = reinterpret_cast<std::uintptr_t>(address);
    bool found = false;
    for (std::string line; std::getline(maps, line);) {
        std::uintptr_t begin = 0, end = 0;
        if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) found = begin <= wanted && wanted < end;
        if (found && line.starts_with("VmFlags:")) return line + " ";
    }
    return {};
}

TEST(PageSource, AsksForHugePagesWhenToldTo) {
    PageSource source(kSmallRange);
    EXPECT_EQ(mapping_flags(source.page(0)).find(" hg "), std::string::npos);
    if (!source.advise_huge_pages()) GTEST_SKIP() << "this kernel has none";
    EXPECT_NE(mapping_flags(source.page(0)).find(" hg "), std::string::npos) << mapping_flags(source.page(0));
    const PageSource told({.range_bytes = std::size_t{64} << 20, .huge_pages = true});
    EXPECT_NE(mapping_flags(told.page(0)).find(" hg "), std::string::npos);
}

TEST(PageSource, KnowsItsOwnAddresses) {
    PageSource source(kSmallRange);
    const int elsewhere = 0;
    EXPECT_FALSE(source.owns(&elsewhere));
    EXPECT_TRUE(source.owns(source.page(0)));
    EXPECT_TRUE(source.owns(static_cast<std::byte*>(source.page(source.page_limit())) - 1));
    EXPECT_FALSE(source.owns(source.page(source.page_limit())));
    EXPECT_FALSE(source.owns(nullptr));
}

TEST(PageSourceDeathTest, FreeingWhatIsNotLiveStops) {
    PageSource source(kSmallRange);
    void* const page = source.allocate();
    source.free(page);
    EXPECT_DEATH(source.free(page), "a page is not in use");
    EXPECT_DEATH(source.free(source.page(5000)), "no page begins|not in use");
    EXPECT_DEATH(source.free(static_cast<std::byte*>(page) + 1), "no page begins at this address");
    EXPECT_DEATH((void)source.allocate(0), "no pages are asked for");
    EXPECT_DEATH(source.free(source.page(0), 0), "no run is that long");
    EXPECT_DEATH(source.free(source.page(0), ~std::size_t{0}), "no run is that long");
}

TEST(PageSourceDeathTest, DestroyingItUnderALivePageStops) {
    EXPECT_DEATH({ (void)PageSource(kSmallRange).allocate(); }, "while pages are in use");
}

TEST(PageSourceWalk, NoPageIsHandedOutTwice) {
    PageSource source({.range_bytes = 8 * PageSource::kSlabBytes});
    std::map<std::size_t, std::size_t> runs;  // first page, count
    Random random(7);
    for (int step = 0; step < 5000; ++step) {
        if (runs.empty() || random.below(2) == 0) {
            const std::size_t count = random.below(4) == 0 ? 1 + random.below(40) : 1;
            const std::size_t alignment = kPage << random.below(3);
            try {
                const std::size_t first = source.page_number(source.allocate(count, alignment));
                ASSERT_EQ(first * kPage % alignment, 0U);
                runs[first] = count;
            } catch (const std::bad_alloc&) {
                ASSERT_GT(count, 1U) << "single pages fit until the range is full";
            }
        } else {
            const auto run = std::next(runs.begin(), static_cast<std::ptrdiff_t>(random.below(runs.size())));
            source.free(source.page(run->first), run->second);
            runs.erase(run);
        }
        if (step % 500 == 0) source.trim_all();
        std::size_t live = 0, end = 0;
        for (const auto& [first, count] : runs) {
            ASSERT_GE(first, end) << "runs overlap in step " << step;
            end = first + count;
            live += count;
        }
        ASSERT_EQ(source.stats().live_pages, live);
        source.check_invariants();
    }
    for (const auto& [first, count] : runs) source.free(source.page(first), count);
}

TEST(PageSource, ThreadsShareIt) {
    PageSource source(kSmallRange);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&source, i] {
            for (int round = 0; round < 500; ++round) {
                void* const run = source.allocate(static_cast<std::size_t>(1 + i));
                std::memset(run, i, kPage);
                source.free(run, static_cast<std::size_t>(1 + i));
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(source.stats().live_pages, 0U);
    source.check_invariants();
}

}  // namespace
}  // namespace evertick::core
