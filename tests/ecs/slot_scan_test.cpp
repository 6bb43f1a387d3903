// The scans over ids, at every length around the stride they work in.

#include "ecs/slot_scan.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace evertick::ecs {
namespace {

using Index = SparseSet::Index;

std::vector<Index> ascending(std::size_t size) {
    std::vector<Index> ids(size);
    std::iota(ids.begin(), ids.end(), Index{0});
    return ids;
}

TEST(SlotScan, CountsEqualIdsUpToTheFirstDifference) {
    for (std::size_t size = 0; size <= 50; ++size) {
        const auto ids = ascending(size);
        EXPECT_EQ(count_equal(ids, ids), size);
        for (std::size_t at = 0; at < size; ++at) {
            auto other = ids;
            other[at] += 1000;
            EXPECT_EQ(count_equal(ids, other), at) << "of " << size;
        }
    }
    EXPECT_EQ(count_equal(ascending(40), ascending(20)), 20U) << "the shorter one ends it";
}

TEST(SlotScan, CountsSlotsUpToTheFirstMark) {
    for (std::size_t size = 0; size <= 50; ++size) {
        const auto ids = ascending(size);
        EXPECT_EQ(count_unmarked(ids), size);
        for (std::size_t at = 0; at < size; ++at) {
            auto marked = ids;
            marked[at] |= SparseSet::kMark;
            EXPECT_EQ(count_unmarked(marked), at) << "of " << size;
        }
    }
}

}  // namespace
}  // namespace evertick::ecs
