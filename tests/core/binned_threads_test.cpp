// BinnedAllocator::process(): shelves, threads that free each other's memory, threads that end, fork.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "core/binned_allocator.hpp"
#include "core/mem_stack.hpp"
#include "tests/core/process.hpp"

namespace evertick::core {
namespace {

BinnedAllocator& bins() { return BinnedAllocator::process(); }
const BinStats stats_of(std::size_t size) { return bins().stats().bins[bin_for(size)]; }

void in_a_thread(auto work) { std::thread(work).join(); }

TEST(BinnedShelves, TheLastFreedIsTheNextAllocated) {
    void* const first = bins().allocate(640);
    void* const second = bins().allocate(640);
    bins().free(first, 640);
    bins().free(second, 640);
    EXPECT_EQ(bins().allocate(640), second);
    EXPECT_EQ(bins().allocate(640), first);
    bins().free(first);
    bins().free(second);
}

TEST(BinnedShelves, AreBounded) {
    const BinStats before = stats_of(704);
    in_a_thread([&before] {
        std::vector<void*> cells(10'000);
        for (void*& cell : cells) cell = bins().allocate(704);
        for (void* const cell : cells) bins().free(cell, 704);
        EXPECT_LE((stats_of(704).shelved_cells - before.shelved_cells) * 704, BinnedAllocator::kShelfBytes);
        EXPECT_EQ(stats_of(704).live_cells, before.live_cells);
    });
    EXPECT_EQ(stats_of(704).shelved_cells, before.shelved_cells) << "they go back when the thread ends";
    bins().check_invariants();
}

TEST(BinnedShelves, AThreadThatOnlyFreesDoesNotAccumulate) {
    constexpr std::size_t kBatch = 1000;
    const std::size_t live_before = stats_of(832).live_cells;
    std::array<void*, kBatch> batch;
    std::atomic<bool> full{false}, end{false};
    std::thread consumer([&] {
        while (!end) {
            if (!full.load(std::memory_order_acquire)) continue;
            for (void* const cell : batch) bins().free(cell, 832);
            full.store(false, std::memory_order_release);
        }
    });
    for (int round = 0; round < 200; ++round) {
        for (void*& cell : batch) {
            cell = bins().allocate(832);
            std::memset(cell, round, 832);
        }
        full.store(true, std::memory_order_release);
        while (full.load(std::memory_order_acquire)) std::this_thread::yield();
    }
    EXPECT_LE(stats_of(832).pages, 2 * (kBatch / cells_per_page(bin_for(832)) + 2));
    end = true;
    consumer.join();
    EXPECT_EQ(stats_of(832).live_cells, live_before);
    bins().check_invariants();
}

TEST(BinnedShelves, AThousandThreadsLeaveNothingBehind) {
    const auto work = [] {
        std::vector<void*> cells;
        for (std::size_t size = 1; size < 3000; size += 100) cells.push_back(bins().allocate(size));
        for (void* const cell : cells) bins().free(cell);
    };
    in_a_thread(work);
    const std::size_t before = bins().stats().pages();
    for (int i = 0; i < 1000; ++i) in_a_thread(work);
    EXPECT_EQ(bins().stats().pages(), before);
    bins().check_invariants();
}

TEST(BinnedShelves, AThousandThreadsLeaveTheProcessAsLargeAsItWas) {
    if (test::kSanitizer) GTEST_SKIP() << "it keeps memory for each thread";
    const auto work = [] {
        for (std::size_t size = 1; size < 300'000; size *= 3) {
            void* const memory = bins().allocate(size);
            std::memset(memory, 1, size);
            bins().free(memory);
        }
        const MemMark mark;
        std::memset(MemStack::this_thread().allocate(300'000), 1, 300'000);
    };
    for (int i = 0; i < 20; ++i) in_a_thread(work);
    const std::size_t before = test::resident_bytes();
    for (int i = 0; i < 1000; ++i) in_a_thread(work);
    EXPECT_LT(test::resident_bytes(), before + (std::size_t{1} << 20));
}

TEST(BinnedShelves, ServeThreadsThatAreEnding) {
    struct FreesLate {
        void* memory = nullptr;
        ~FreesLate() {
            bins().free(memory);
            bins().free(bins().allocate(960));
        }
    };
    const BinStats before = stats_of(960);
    in_a_thread([] {
        thread_local FreesLate late;  // made before the shelves, so destroyed after them
        late.memory = bins().allocate(960);
    });
    EXPECT_EQ(stats_of(960).live_cells, before.live_cells);
    EXPECT_EQ(stats_of(960).shelved_cells, before.shelved_cells);
}

TEST(BinnedShelves, FourThreadsMayDoAnything) {
    std::array<std::atomic<void*>, 256> shared{};
    std::vector<std::thread> threads;
    for (unsigned seed = 0; seed < 4; ++seed)
        threads.emplace_back([&shared, state = std::uint64_t{seed} + 1]() mutable {
            for (int i = 0; i < 50'000; ++i) {
                state = state * 6364136223846793005U + 1442695040888963407U;
                const std::size_t size = (state >> 33U) % 1500;
                void* const memory = bins().allocate(size);
                if (size > 0) std::memset(memory, 1, size);
                bins().free(shared[(state >> 20U) % shared.size()].exchange(memory));
            }
        });
    for (std::thread& thread : threads) thread.join();
    for (std::atomic<void*>& memory : shared) bins().free(memory);
    bins().check_invariants();
}

TEST(BinnedShelves, MayBeCheckedAndCountedMeanwhile) {
    std::atomic<bool> end{false};
    std::thread busy([&] {
        for (std::size_t size = 1; !end; size = size * 7 % 200'003) bins().free(bins().allocate(size));
    });
    for (int i = 0; i < 50; ++i) {
        bins().check_invariants();
        const BinnedStats stats = bins().stats();
        EXPECT_LE(stats.live_bytes(), stats.pages() * kBinPageBytes);
        bins().trim(i % 10 == 0);
    }
    end = true;
    busy.join();
}

// More cells than a shelf holds, so each time the lock of their bin is taken, and a run.
void use_bin_and_run() {
    std::array<void*, 6> cells;
    for (void*& cell : cells) cell = bins().allocate(20'000);
    for (void* const cell : cells) bins().free(cell, 20'000);
    bins().free(bins().allocate(40'000));
}

TEST(BinnedShelves, TheChildOfAForkMayAllocate) {
    std::atomic<bool> end{false};
    std::thread busy([&] {
        while (!end) {
            use_bin_and_run();
            std::this_thread::yield();  // or a fork may wait long for the lock
        }
    });
    for (int i = 0; i < 50 && !HasFailure(); ++i) {
        const pid_t child = ::fork();
        if (child == 0) {
            ::alarm(30);  // rather than hang
            use_bin_and_run();
            for (std::size_t size = 1; size < 100'000; size *= 2) bins().free(bins().allocate(size));
            ::_exit(0);
        }
        int status = 1;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0) << "the child could not allocate";
    }
    end = true;
    busy.join();
}

TEST(BinnedShelvesDeathTest, FreeingTwiceStops) {
    void* const cell = bins().allocate(576);
    bins().free(cell, 576);
    if constexpr (kDebugBuild) {
        EXPECT_DEATH(bins().free(cell, 576), "freed twice") << "it is on the shelf";
        EXPECT_DEATH(bins().free(cell), "freed twice");
    }
    EXPECT_DEATH(
        {
            bins().free(cell, 576);
            bins().trim(false);  // both reach the bin
        },
        "freed twice");
}

TEST(BinnedShelvesDeathTest, FreeingWhatAnotherThreadFreedStops) {
    void* const kept = bins().allocate(1024);  // keeps a page of the bin
    void* const cell = bins().allocate(1024);
    in_a_thread([cell] { bins().free(cell, 1024); });
    EXPECT_DEATH(
        {
            bins().free(cell, 1024);
            bins().trim(false);
        },
        "freed twice|no cell of this size is at the address");
    bins().free(kept, 1024);
}

}  // namespace
}  // namespace evertick::core
