// What the allocators do where address space is limited or all of it is in use.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "core/array.hpp"
#include "core/binned_allocator.hpp"
#include "core/chunked_array.hpp"
#include "core/mem_stack.hpp"
#include "tests/core/process.hpp"

namespace evertick::core {
namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

// Runs `work` in a child that may map `room_bytes` more than it has. Returns its exit code; -1: a signal.
template <class Work>
int exit_code_with(std::size_t room_bytes, Work work) {
    const pid_t child = ::fork();
    if (child == 0) {
        const rlimit limit{test::mapped_bytes() + room_bytes, RLIM_INFINITY};
        ::setrlimit(RLIMIT_AS, &limit);
        ::_exit(work());
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// 0: served and left room for others, 1: there is none left, 2: there was too little to begin with.
int use_all_layers() try {
    PageSource source;
    PageAllocator pages(source);
    BinnedAllocator bins(source);
    MemStack stack(pages);
    const MemMark mark(stack);
    std::memset(stack.allocate(100'000), 1, 100'000);
    std::vector<void*> cells;
    for (std::size_t size = 1; size < 1'000'000; size *= 3) cells.push_back(bins.allocate(size));
    for (void* const cell : cells) bins.free(cell);
    std::thread([] {}).join();  // its stack is 8 MiB
    return 0;
} catch (const std::bad_alloc&) {
    return 2;
} catch (const std::system_error&) {
    return 1;
}

TEST(ShortMemory, WhatIsReservedLeavesAddressSpaceForOthers) {
    if (test::kSanitizer) GTEST_SKIP() << "address space cannot be limited";
    for (std::size_t room = 100 * kMebibyte; room < 20'000 * kMebibyte; room += room / 7)
        EXPECT_EQ(exit_code_with(room, &use_all_layers), 0) << room / kMebibyte << " MiB to map";
}

TEST(ShortMemory, TooLittleAddressSpaceIsBadAlloc) {
    if (test::kSanitizer) GTEST_SKIP() << "address space cannot be limited";
    EXPECT_EQ(exit_code_with(kMebibyte, &use_all_layers), 2);
}

TEST(ShortMemory, ARangeOfAnySizeIsUsable) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, kMebibyte, SIZE_MAX / 2, SIZE_MAX}) {
        PageSource source({.range_bytes = bytes});
        EXPECT_GE(source.page_limit(), PageSource::kPagesPerSlab) << bytes;
        source.free(source.allocate(PageSource::kPagesPerSlab), PageSource::kPagesPerSlab);
    }
}

// Takes all pages of the process's source, as runs: nothing is touched.
std::vector<void*> take_every_page() {
    std::vector<void*> runs;
    for (std::size_t bytes = BinnedAllocator::process().limit_bytes(); bytes >= kBinPageBytes;) try {
            runs.push_back(BinnedAllocator::process().allocate(bytes));
        } catch (const std::bad_alloc&) {
            bytes /= 2;
        }
    return runs;
}

int free_in_a_thread_without_shelves() {
    BinnedAllocator& bins = BinnedAllocator::process();
    void* const cell = bins.allocate(100);
    const std::vector<void*> runs = take_every_page();
    std::thread([&bins, cell] { bins.free(cell); }).join();
    for (void* const run : runs) bins.free(run);
    return bins.allocate(100) != nullptr ? 0 : 1;
}

TEST(ShortMemory, AThreadMayFreeWhenThereIsNoneForItsShelves) {
    if (test::kSanitizer) GTEST_SKIP() << "too much to poison";
    EXPECT_EXIT(std::exit(free_in_a_thread_without_shelves()), testing::ExitedWithCode(0), "");
}

int grow_containers_without_memory() {
    ChunkedArray<int, 65'536> chunked;
    Array<std::byte> array;
    chunked.add(10);
    array.resize(1000);
    const std::vector<void*> runs = take_every_page();
    EXPECT_THROW(chunked.add(10'000'000), std::bad_alloc);
    EXPECT_THROW(chunked.reserve(10'000'000), std::bad_alloc);
    EXPECT_THROW(array.resize(100'000), std::bad_alloc);
    EXPECT_EQ(chunked.size(), 10U);
    EXPECT_EQ(chunked.capacity(), chunked.kElementsPerChunk);
    EXPECT_EQ(array.size(), 1000U);
    array.check_invariants();
    chunked.check_invariants();
    return testing::Test::HasFailure() ? 1 : 0;
}

TEST(ShortMemory, LeavesContainersAsTheyWere) {
    if (test::kSanitizer) GTEST_SKIP() << "too much to poison";
    EXPECT_EXIT(std::exit(grow_containers_without_memory()), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace evertick::core
