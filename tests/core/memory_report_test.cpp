#include "core/memory_report.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/chunked_array.hpp"
#include "core/mem_stack.hpp"

namespace evertick::core {
namespace {

TEST(MemoryReport, NamesTheHolderOfEveryPage) {
    BinnedAllocator& bins = BinnedAllocator::process();
    MemStack stack;
    const MemMark mark(stack);
    (void)stack.allocate(200'000);
    ChunkedArray<double> numbers;
    for (int i = 0; i < 100'000; ++i) numbers.push_back(i);
    void* const run = bins.allocate(1'000'000);
    const MemoryReport report = memory_report();
    EXPECT_EQ(report.unaccounted_pages(), 0U);
    EXPECT_GE(report.bins.run_pages, 16U);
    EXPECT_GE(report.stacks.block_pages, 4U);
    bins.free(run);
}

TEST(MemoryReport, LiveGrowsByWhatIsTakenAndNoMoreThanCommitted) {
    const MemoryReport before = memory_report();
    ChunkedArray<double> numbers;
    for (int i = 0; i < 1'000'000; ++i) numbers.push_back(i);
    const MemoryReport after = memory_report();
    EXPECT_GE(after.live_bytes() - before.live_bytes(), 1'000'000 * sizeof(double));
    EXPECT_LE(after.live_bytes() - before.live_bytes(), numbers.allocated_bytes() + 2 * kBinPageBytes);
    EXPECT_GE(after.committed_bytes(), after.live_bytes());
}

}  // namespace
}  // namespace evertick::core
