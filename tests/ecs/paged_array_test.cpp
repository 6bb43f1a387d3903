// What PagedArray promises of its pages, and that those not there cost nothing.

#include "ecs/paged_array.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "core/random.hpp"

namespace evertick::ecs {
namespace {

using Array = PagedArray<std::uint32_t, 7>;
constexpr std::size_t kPageBytes = Array::kPageSize * sizeof(std::uint32_t);

TEST(PagedArray, ReadsAsAbsentWhereThereIsNoPage) {
    Array array;
    EXPECT_EQ(array.find(0), 7U);
    array.make_page(3);
    EXPECT_EQ(array[5], 7U) << "in a page below, which is not there";
    EXPECT_EQ(array[3 * Array::kPageSize], 7U) << "in the page, not written to yet";
    EXPECT_EQ(array.find(std::size_t{1} << 40), 7U) << "beyond the last page";
    array.check_invariants();
}

TEST(PagedArray, AnIndexWithoutNeighboursCostsOnePage) {
    Array array;
    array.make_page(1000);
    EXPECT_GE(array.allocated_bytes(), kPageBytes);
    EXPECT_LE(array.allocated_bytes(), kPageBytes + 2 * 1001 * sizeof(void*));
}

TEST(PagedArray, ADroppedPageIsAbsentAndGivesItsMemoryBack) {
    Array array;
    array.make_page(0);
    array.make_page(1);
    array.writable(0) = 1;
    array.writable(Array::kPageSize) = 2;
    const std::size_t before = array.allocated_bytes();
    array.drop_page(1);
    array.drop_page(1);
    array.check_invariants();
    EXPECT_EQ(array.allocated_bytes(), before - kPageBytes);
    EXPECT_EQ(array[0], 1U);
    EXPECT_EQ(array[Array::kPageSize], 7U);
    array.shrink_directory();
    EXPECT_EQ(array.page_count(), 1U);
    EXPECT_FALSE(array.has_page(1));
}

TEST(PagedArrayDeathTest, WritingWhereThereIsNoPageAborts) {
    Array array;
    array.make_page(1);
    EXPECT_DEATH(array.writable(0) = 1, "the page to write to is not there");
}

TEST(PagedArray, EqualsAMapAfterEveryStep) {
    core::Random random(1);
    Array array;
    std::map<std::size_t, std::uint32_t> expected;
    for (int step = 0; step < 2000; ++step) {
        const std::size_t index = random.below(8 * Array::kPageSize);
        const std::size_t page = Array::page_of(index);
        if (random.below(4) != 0) {
            array.make_page(page);
            expected[index] = array.writable(index) = static_cast<std::uint32_t>(step);
        } else if (page < array.page_count()) {
            array.drop_page(page);
            std::erase_if(expected,
                          [page](const auto& entry) { return Array::page_of(entry.first) == page; });
            if (random.below(2) == 0) array.shrink_directory();
        }
        array.check_invariants();
        for (const auto& [at, value] : expected) ASSERT_EQ(array.find(at), value) << "seed 1, step " << step;
        ASSERT_EQ(array.find(index), expected.contains(index) ? expected[index] : 7U) << "step " << step;
    }
}

}  // namespace
}  // namespace evertick::ecs
