#include "core/memory_report.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "core/chunked_array.hpp"
#include "core/mem_stack.hpp"
#include "tests/core/process.hpp"

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

// What the process occupies and the report does not name, in bytes; negative while named memory is untouched.
std::ptrdiff_t unnamed_bytes() {
    return static_cast<std::ptrdiff_t>(test::resident_bytes() - memory_report().committed_bytes());
}

TEST(MemoryReport, NamesWhatTheProcessOccupiesAlsoAfterATrim) {
    if (test::kSanitizer) GTEST_SKIP() << "it keeps memory of its own beside ours";
    BinnedAllocator& bins = BinnedAllocator::process();
    bins.trim(true);
    const std::ptrdiff_t before = unnamed_bytes();
    std::vector<void*> cells(50'000);
    for (std::size_t i = 0; i < cells.size(); ++i)
        cells[i] = std::memset(bins.allocate(100 + i % 2000), 1, 100 + i % 2000);
    const auto tenth = static_cast<std::ptrdiff_t>(memory_report().live_bytes() / 10);
    EXPECT_LT(unnamed_bytes() - before, tenth) << "all live";
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (i % 20 != 0) bins.free(std::exchange(cells[i], nullptr));
    EXPECT_GT(bins.trim(true), 0U);
    EXPECT_LT(unnamed_bytes() - before, tenth) << "what was given back is occupied no more";
    for (void* const cell : cells) bins.free(cell);
}

}  // namespace
}  // namespace evertick::core
