// What keeps a server flat for weeks: a steady tick costs the stack neither heap nor page faults, and a
// thread that ends leaves nothing behind.

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
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

TEST(MemStackSteady, ATickAllocatesNothingFromTheHeap) {
    PageSource source({.range_bytes = std::size_t{64} << 20});
    PageAllocator pages(source);
    MemStack stack(pages);
    tick(stack);
    const std::size_t before = test::heap_allocations();
    const std::size_t committed = source.stats().committed_bytes();
    for (int i = 0; i < 200; ++i) tick(stack);
    EXPECT_EQ(test::heap_allocations() - before, 0U);
    EXPECT_EQ(source.stats().committed_bytes(), committed);
}

TEST(MemStackSteady, ATickTakesNoPageFaults) {
    PageAllocator pages;
    MemStack stack(pages);
    for (int i = 0; i < 3; ++i) tick(stack);
    constexpr int kTicks = 200;
    // AddressSanitizer gives parts of its shadow back when a large stretch is poisoned, and faults them in
    // again.
    constexpr int kFaultsOfOthers = kAddressSanitizer ? 4 * kTicks : 0;
    const long before = page_faults();
    for (int i = 0; i < kTicks; ++i) tick(stack);
    EXPECT_LT(page_faults() - before, kTicks + kFaultsOfOthers)
        << "a tick that gave its memory away would take many each";
}

TEST(MemStackSteady, TrimmingBetweenTicksTakesNothingATickNeeds) {
    PageSource source({.range_bytes = std::size_t{64} << 20});
    PageAllocator pages(source);
    MemStack stack(pages);
    tick(stack);
    const std::size_t committed = source.stats().committed_bytes();
    for (int second = 0; second < 60; ++second) {
        tick(stack);
        EXPECT_EQ(source.trim(PageSource::TimePoint(std::chrono::seconds(second))), 0U);
    }
    EXPECT_EQ(source.stats().committed_bytes(), committed);
}

TEST(MemStackSteady, AThreadThatEndsGivesItsPagesBack) {
    const auto work = [] { tick(MemStack::this_thread()); };
    std::jthread(work).join();
    const std::size_t pages = PageAllocator::process().stats().pages();
    const std::size_t committed = PageSource::process().stats().committed_bytes();
    for (int i = 0; i < 1000; ++i) std::jthread(work).join();
    EXPECT_EQ(PageAllocator::process().stats().pages(), pages);
    EXPECT_EQ(PageSource::process().stats().committed_bytes(), committed)
        << "one thread after the other uses the same pages";
    PageAllocator::process().check_invariants();
}

TEST(MemStackSteady, ThreadsThatEndTogetherGiveTheirPagesBack) {
    const std::size_t before = PageAllocator::process().stats().pages();
    for (int round = 0; round < 5; ++round) {
        std::vector<std::jthread> threads;
        threads.reserve(8);
        for (int i = 0; i < 8; ++i) threads.emplace_back([] { tick(MemStack::this_thread()); });
    }
    EXPECT_EQ(PageAllocator::process().stats().pages(), before);
    PageAllocator::process().check_invariants();
}

}  // namespace
}  // namespace evertick::core
