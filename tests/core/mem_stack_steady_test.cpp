// What keeps a server flat for weeks: a steady tick costs the stack neither heap nor page faults, and a
// thread that ends leaves nothing behind.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "core/mem_stack.hpp"
#include "core/mem_stack_allocator.hpp"
#include "tests/core/heap_counter.hpp"

namespace evertick::core {
namespace {

// A tick's worth of scratch: many small things over several pages, some larger than a page, a growing vector.
void tick(MemStack& stack) {
    const MemMark mark(stack);
    for (int i = 0; i < 300; ++i) std::memset(stack.allocate(1000), i, 1000);
    for (const std::size_t size : {70'000U, 100'000U, 300'000U}) std::memset(stack.allocate(size), 1, size);
    std::vector<int, MemStackAllocator<int>> numbers{stack};
    for (int i = 0; i < 20'000; ++i) numbers.push_back(i);
}

long page_faults() {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_minflt + usage.ru_majflt;
}

std::size_t live_pages(const PageStats& stats) {
    return stats.small.live + stats.large.live + stats.block.live;
}

TEST(MemStackSteady, ATickAllocatesNothingFromTheHeap) {
    PageAllocator pages;
    MemStack stack(pages);
    tick(stack);
    const std::size_t before = test::heap_allocations();
    const std::size_t reserved = pages.stats().reserved_bytes();
    for (int i = 0; i < 200; ++i) tick(stack);
    EXPECT_EQ(test::heap_allocations() - before, 0U);
    EXPECT_EQ(pages.stats().reserved_bytes(), reserved);
}

TEST(MemStackSteady, ATickTakesNoPageFaults) {
    PageAllocator pages;
    MemStack stack(pages);
    for (int i = 0; i < 3; ++i) tick(stack);
    constexpr int kTicks = 200;
    const long before = page_faults();
    for (int i = 0; i < kTicks; ++i) tick(stack);
    EXPECT_LT(page_faults() - before, kTicks) << "a tick that gave its memory away would take 200 of them";
}

TEST(MemStackSteady, TrimmingBetweenTicksTakesNothingATickNeeds) {
    PageAllocator pages;
    MemStack stack(pages);
    for (int i = 0; i < 3; ++i) {
        tick(stack);
        pages.trim();
    }
    const std::size_t committed = pages.stats().committed_bytes();
    for (int i = 0; i < 20; ++i) {
        tick(stack);
        EXPECT_EQ(pages.trim(), 0U);
    }
    EXPECT_EQ(pages.stats().committed_bytes(), committed);
}

TEST(MemStackSteady, AThreadThatEndsGivesItsPagesBack) {
    const auto work = [] { tick(MemStack::this_thread()); };
    std::jthread(work).join();
    const PageStats before = PageAllocator::process().stats();
    for (int i = 0; i < 100; ++i) std::jthread(work).join();
    const PageStats after = PageAllocator::process().stats();
    EXPECT_EQ(live_pages(after), live_pages(before));
    EXPECT_EQ(after.reserved_bytes(), before.reserved_bytes())
        << "one thread after the other uses the same pages";
    PageAllocator::process().check_invariants();
}

TEST(MemStackSteady, ThreadsThatEndTogetherGiveTheirPagesBack) {
    const std::size_t before = live_pages(PageAllocator::process().stats());
    for (int round = 0; round < 5; ++round) {
        std::vector<std::jthread> threads;
        threads.reserve(8);
        for (int i = 0; i < 8; ++i) threads.emplace_back([] { tick(MemStack::this_thread()); });
    }
    EXPECT_EQ(live_pages(PageAllocator::process().stats()), before);
    PageAllocator::process().check_invariants();
}

}  // namespace
}  // namespace evertick::core
