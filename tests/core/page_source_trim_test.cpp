// The policy by which PageSource gives idle memory back to the operating system.

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>

#include "core/page_source.hpp"

namespace evertick::core {
namespace {

constexpr std::size_t kPage = PageSource::kPageBytes;
constexpr std::size_t kSlab = PageSource::kPagesPerSlab;
constexpr std::size_t kReserve = PageSource::kReservePages;
constexpr std::size_t kAnyAmount = std::size_t{1} << 40U;
constexpr PageSource::Options kSmallRange{.range_bytes = std::size_t{256} << 20};

PageSource::TimePoint at(int seconds) { return PageSource::TimePoint(std::chrono::seconds(1000 + seconds)); }

// One round of work: takes that many pages, writes to each, gives them back.
void use(PageSource& source, std::size_t count) {
    void* const run = source.allocate(count);
    std::memset(run, 0xAB, count * kPage);
    source.free(run, count);
}

TEST(PageSourceTrim, KeepsTheHighWaterOfTheLastTenSeconds) {
    PageSource source(kSmallRange);
    source.trim(at(0));
    use(source, 10 * kSlab);
    EXPECT_EQ(source.trim(at(1), kAnyAmount), 0U);
    EXPECT_EQ(source.trim(at(9), kAnyAmount), 0U);
    EXPECT_EQ(source.trim(at(12), kAnyAmount), 0U) << "the window before still counts";
    EXPECT_EQ(source.trim(at(23), kAnyAmount), 9 * PageSource::kSlabBytes) << "all but the reserve";
    EXPECT_EQ(source.stats().idle_pages, kReserve);
}

TEST(PageSourceTrim, ASteadyLoadLosesNothing) {
    PageSource source(kSmallRange);
    for (int second = 0; second < 60; ++second) {
        use(source, 10 * kSlab);
        EXPECT_EQ(source.trim(at(second), kAnyAmount), 0U) << "in second " << second;
    }
}

TEST(PageSourceTrim, GivesBackALimitedAmountAtATime) {
    PageSource source(kSmallRange);
    use(source, 4 * kSlab);
    source.trim(at(0));
    for (int slab = 0; slab < 3; ++slab) EXPECT_EQ(source.trim(at(11)), PageSource::kSlabBytes);
    EXPECT_EQ(source.trim(at(11)), 0U) << "the reserve stays";
    source.check_invariants();
}

TEST(PageSourceTrim, TakesWholeFreeSlabsFromTheTopFirst) {
    PageSource source(kSmallRange);
    void* const run = source.allocate(3 * kSlab);
    source.free(source.page(kSlab), 2 * kSlab - 1);  // slab 1 is free, slab 2 has one page in use at its end
    for (const int second : {0, 11, 22}) source.trim(at(second), 1);
    EXPECT_EQ(source.stats().idle_pages, kSlab - 1) << "slab 1 went first, though slab 2 lies higher";
    source.free(source.page(3 * kSlab - 1));
    source.free(run, kSlab);
}

TEST(PageSourceTrim, TheReserveGrowsWithWhatIsLive) {
    PageSource source(kSmallRange);
    const std::size_t live = 64 * kSlab;
    void* const run = source.allocate(live);
    use(source, 20 * kSlab);
    for (const int second : {0, 11, 22}) source.trim(at(second), kAnyAmount);
    EXPECT_GE(source.stats().idle_pages, live * 3 / 100 - kSlab);
    EXPECT_LE(source.stats().idle_pages, live * 3 / 100);
    source.free(run, live);
}

TEST(PageSourceTrim, ReturnedPagesAreUsedAgainAndReadAsZero) {
    PageSource source(kSmallRange);
    use(source, 3 * kSlab);
    EXPECT_EQ(source.trim_all(), 3 * PageSource::kSlabBytes);
    EXPECT_EQ(source.stats().idle_pages, 0U);
    auto* const page = static_cast<std::byte*>(source.allocate());
    EXPECT_EQ(source.page_number(page), 0U);
    EXPECT_EQ(page[100], std::byte{0}) << "the system gives returned memory back as zeros";
    source.free(page);
    source.check_invariants();
}

}  // namespace
}  // namespace evertick::core
