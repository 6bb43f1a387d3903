// BinnedAllocator: sizes, addresses, resizing, misuse. Without shelves, each test with pages of its own.

#include "core/binned_allocator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <set>
#include <vector>

#include "tests/core/private_bins.hpp"

namespace evertick::core {
namespace {

using test::PrivateBins;

constexpr std::size_t kPage = PageSource::kPageBytes;

bool is_aligned(const void* memory, std::size_t alignment) {
    return reinterpret_cast<std::uintptr_t>(memory) % alignment == 0;
}

TEST(SizeClasses, EverySizeGetsTheSmallestCellThatHoldsIt) {
    for (std::size_t size = 0; size <= kLargestCellBytes; ++size) {
        const std::size_t bin = bin_for(size);
        ASSERT_GE(kCellBytes[bin], size);
        ASSERT_TRUE(bin == 0 || kCellBytes[bin - 1] < size) << "a smaller cell holds " << size;
    }
}

TEST(SizeClasses, FindTheCellOfEveryOffset) {
    for (std::size_t bin = 0; bin < kBins; ++bin)
        for (std::size_t offset = 0; offset < kBinPageBytes; ++offset)
            ASSERT_EQ(cell_at(bin, offset), offset / kCellBytes[bin])
                << "bin " << bin << ", offset " << offset;
}

TEST(SizeClasses, WasteLittleOfAPage) {
    for (std::size_t bin = 0; bin < kBins; ++bin)
        EXPECT_LE(kBinPageBytes - cells_per_page(bin) * kCellBytes[bin], kBinPageBytes * 3 / 100)
            << "cells of " << kCellBytes[bin];
}

TEST(BinnedAllocator, GivesEveryRequestItsOwnMemory) {
    PrivateBins bins;
    std::vector<std::pair<unsigned char*, std::size_t>> all;
    for (std::size_t size = 0; size < 100'000; size = size * 9 / 8 + 1) {
        auto* const memory = static_cast<unsigned char*>(bins->allocate(size));
        std::memset(memory, static_cast<int>(size % 251), size);
        all.emplace_back(memory, size);
    }
    for (const auto& [memory, size] : all) {
        for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(memory[i], size % 251) << "size " << size;
        bins->free(memory);
    }
    bins->check_invariants();
}

TEST(BinnedAllocator, ZeroSizeRequestsGetDistinctAddresses) {
    PrivateBins bins;
    std::set<void*> addresses;
    for (int i = 0; i < 1000; ++i) addresses.insert(bins->allocate(0));
    EXPECT_EQ(addresses.size(), 1000U);
    for (void* const memory : addresses) bins->free(memory, 0);
}

TEST(BinnedAllocator, ZeroSizeRequestsKeepTheirAlignmentAndAreDistinctToo) {
    PrivateBins bins;
    std::set<void*> addresses;
    for (std::size_t alignment = 1; alignment <= PageSource::kSlabBytes; alignment *= 2)
        for (int i = 0; i < 3; ++i) {
            void* const memory = bins->allocate(0, alignment);
            EXPECT_TRUE(is_aligned(memory, alignment)) << "alignment " << alignment;
            EXPECT_TRUE(addresses.insert(memory).second) << "given twice, alignment " << alignment;
        }
    for (void* const memory : addresses) bins->free(memory);
    bins->check_invariants();
}

TEST(BinnedAllocator, AlignsToAnyPowerOfTwoUpToASlab) {
    PrivateBins bins;
    for (std::size_t alignment = 1; alignment <= PageSource::kSlabBytes; alignment *= 2)
        for (const std::size_t size :
             {std::size_t{1}, std::size_t{24}, std::size_t{100}, std::size_t{5000}, 3 * kPage}) {
            void* const memory = bins->allocate(size, alignment);
            EXPECT_TRUE(is_aligned(memory, alignment)) << size << " bytes at " << alignment;
            std::memset(memory, 1, size);
            bins->free(memory, size, alignment);
        }
    bins->check_invariants();
}

TEST(BinnedAllocator, ARequestNoMachineCanServeIsBadAllocAndChangesNothing) {
    PrivateBins bins;
    void* const kept = bins->allocate(100);
    for (const std::size_t size :
         {std::numeric_limits<std::size_t>::max(), std::numeric_limits<std::size_t>::max() - 8,
          std::numeric_limits<std::size_t>::max() / 2, std::size_t{1} << 50U})
        EXPECT_THROW((void)bins->allocate(size), std::bad_alloc) << size;
    EXPECT_THROW((void)bins->allocate(1, 2 * PageSource::kSlabBytes), std::bad_alloc);
    EXPECT_EQ(bins->stats().pages(), 1U);
    bins->free(kept);
}

TEST(BinnedAllocator, UsesTheLowestFreeCell) {
    PrivateBins bins;
    std::vector<void*> cells(1000);
    for (void*& cell : cells) cell = bins->allocate(256);
    for (const std::size_t index : {900U, 17U, 400U}) bins->free(cells[index], 256);
    EXPECT_EQ(bins->allocate(256), cells[17]);
    EXPECT_EQ(bins->allocate(256), cells[400]);
    EXPECT_EQ(bins->allocate(256), cells[900]);
    for (void* const cell : cells) bins->free(cell, 256);
}

TEST(BinnedAllocator, AnEmptyPageGoesBackButTheLastOne) {
    PrivateBins bins;
    std::vector<void*> cells(5 * cells_per_page(bin_for(512)));
    for (void*& cell : cells) cell = bins->allocate(512);
    EXPECT_EQ(bins->stats().pages(), 5U);
    for (void* const cell : cells) bins->free(cell, 512);
    EXPECT_EQ(bins->stats().pages(), 1U) << "one stays for the next request";
    bins->trim(false);
    EXPECT_EQ(bins->stats().pages(), 0U);
    bins->check_invariants();
}

TEST(BinnedAllocator, GrowsWithinACellWhereItStands) {
    PrivateBins bins;
    void* const memory = bins->allocate(130);
    EXPECT_EQ(BinnedAllocator::usable_bytes(130), 144U);
    EXPECT_TRUE(bins->resize_in_place(memory, 130, 144));
    EXPECT_TRUE(bins->resize_in_place(memory, 144, 129));
    EXPECT_FALSE(bins->resize_in_place(memory, 129, 145));
    EXPECT_FALSE(bins->resize_in_place(memory, 129, 128)) << "it would be freed into another bin";
    bins->free(memory, 129);
}

TEST(BinnedAllocator, ResizesARunWhereItStands) {
    PrivateBins bins;
    void* const run = bins->allocate(3 * kPage);
    EXPECT_TRUE(bins->resize_in_place(run, 3 * kPage, 10 * kPage));
    void* const behind = bins->allocate(kPage);
    EXPECT_FALSE(bins->resize_in_place(run, 10 * kPage, 11 * kPage));
    EXPECT_TRUE(bins->resize_in_place(run, 10 * kPage, 2 * kPage - 5));
    EXPECT_EQ(bins->usable_bytes(run), 2 * kPage);
    EXPECT_EQ(bins->stats().run_pages, 3U);
    EXPECT_FALSE(bins->resize_in_place(run, 2 * kPage, std::numeric_limits<std::size_t>::max()));
    bins->free(run);
    bins->free(behind);
}

TEST(BinnedAllocator, SaysWhatARequestIsReallyGiven) {
    PrivateBins bins;
    for (const std::size_t size : {0U, 1U, 16U, 17U, 129U, 2049U, 32'768U, 32'769U, 65'536U, 65'537U}) {
        void* const memory = bins->allocate(size);
        EXPECT_EQ(bins->usable_bytes(memory), BinnedAllocator::usable_bytes(size)) << size;
        EXPECT_GE(bins->usable_bytes(memory), size);
        bins->free(memory);
    }
}

TEST(BinnedAllocator, FreeingNothingIsNothing) {
    PrivateBins bins;
    bins->free(nullptr);
    bins->free(nullptr, 100);
    EXPECT_EQ(bins->stats().pages(), 0U);
}

TEST(BinnedAllocator, FreedMemoryIsCaughtAndMayBeUsedAgain) {
    PrivateBins bins;
    for (const std::size_t size : {std::size_t{64}, std::size_t{30'000}, 3 * kPage}) {
        void* const other = bins->allocate(size);  // keeps the page
        auto* const stale = static_cast<unsigned char*>(bins->allocate(size));
        std::memset(stale, 1, size);
        bins->free(stale);
        if constexpr (kAddressSanitizer) {
            EXPECT_DEATH({ *const_cast<volatile unsigned char*>(stale + size - 1) = 1; }, "use-after-poison");
        } else if (kDebugBuild && size <= kLargestCellBytes) {
            EXPECT_EQ(std::count(stale, stale + size, kStaleByte), static_cast<std::ptrdiff_t>(size));
        }
        EXPECT_EQ(bins->allocate(size), stale);
        std::memset(stale, 2, size);
        bins->free(stale);
        bins->free(other);
    }
}

TEST(BinnedAllocatorDeathTest, FreeingTwiceStops) {
    PrivateBins bins;
    void* const cell = bins->allocate(64);
    void* const run = bins->allocate(kPage);
    bins->free(cell);
    bins->free(run);
    EXPECT_DEATH(bins->free(cell), "freed twice");
    EXPECT_DEATH(bins->free(cell, 64), "freed twice");
    EXPECT_DEATH(bins->free(run), "nothing is allocated at the address");
}

TEST(BinnedAllocatorDeathTest, FreeingWhatWasNeverAllocatedStops) {
    PrivateBins bins;
    auto* const cell = static_cast<std::byte*>(bins->allocate(64));
    auto* const run = static_cast<std::byte*>(bins->allocate(2 * kPage));
    int local = 0;
    EXPECT_DEATH(bins->free(&local), "none of its own");
    EXPECT_DEATH(bins->free(cell + 8), "no cell begins at the address");
    EXPECT_DEATH(bins->free(run + 16), "not the begin of its allocation");
    EXPECT_DEATH(bins->free(run + kPage), "nothing is allocated at the address");
    EXPECT_DEATH(bins->free(cell, 128), "no cell of this size is at the address");
    EXPECT_DEATH((void)bins->allocate(8, 24), "not a power of two");
    bins->free(cell);
    bins->free(run);
}

TEST(BinnedAllocatorDeathTest, DestroyingItUnderALiveCellStops) {
    EXPECT_DEATH(
        {
            PrivateBins bins;
            (void)bins->allocate(10);
        },
        "while cells are in use");
}

TEST(BinnedAllocatorTrim, DeepReturnsTheEmptyStretchesOfPagesInUse) {
    PrivateBins bins;
    std::vector<std::byte*> cells(cells_per_page(bin_for(1024)));
    for (std::byte*& cell : cells) cell = new (bins->allocate(1024)) std::byte[1024]{std::byte{7}};
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (i % 8 != 0) bins->free(cells[i], 1024);  // each second 4 KiB is empty
    bins->trim(false);
    EXPECT_EQ(bins->stats().committed_bytes(), kPage);
    EXPECT_GE(bins->trim(true), kPage / 2);
    EXPECT_EQ(bins->stats().committed_bytes(), kPage / 2);
    EXPECT_EQ(cells[8][0], std::byte{7}) << "what is live is untouched";
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (i % 8 != 0) std::memset(cells[i] = static_cast<std::byte*>(bins->allocate(1024)), 1, 1024);
    EXPECT_EQ(bins->stats().committed_bytes(), kPage);
    for (std::byte* const cell : cells) bins->free(cell, 1024);
    bins->check_invariants();
}

TEST(BinnedAllocatorStats, AddUp) {
    PrivateBins bins;
    std::vector<void*> cells(100);
    for (void*& cell : cells) cell = bins->allocate(2000);
    void* const run = bins->allocate(5 * kPage);
    bins->free(cells.back());
    cells.pop_back();
    const BinnedStats stats = bins->stats();
    const BinStats& bin = stats.bins[bin_for(2000)];
    EXPECT_EQ(bin.live_cells, 99U);
    EXPECT_EQ(bin.live_cells + bin.free_cells + bin.shelved_cells, bin.pages * cells_per_page(bin_for(2000)));
    EXPECT_EQ(stats.run_pages, 5U);
    EXPECT_EQ(stats.live_bytes(), 99 * bin.cell_bytes + 5 * kPage);
    EXPECT_EQ(stats.pages(), bins.source().stats().live_pages);
    std::size_t pages = 0;
    for (const std::size_t count : bin.pages_by_use) pages += count;
    EXPECT_EQ(pages, bin.pages);
    for (void* const cell : cells) bins->free(cell);
    bins->free(run);
}

}  // namespace
}  // namespace evertick::core
