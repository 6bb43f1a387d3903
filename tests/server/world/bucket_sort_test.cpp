#include "server/world/bucket_sort.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "core/random.hpp"

namespace evertick::world {
namespace {

using Item = std::pair<double, std::uint32_t>;

// Whatever the keys are like, it must do what std::sort does.
void expect_sorted(std::vector<Item> items, std::string_view name) {
    std::vector<Item> expected = items;
    std::ranges::sort(expected);
    core::MemStack stack;
    const core::MemMark mark(stack);
    bucket_sort(std::span(items), stack, &Item::first, std::less<Item>());
    EXPECT_EQ(items, expected) << name << ", " << items.size() << " items";
}

template <class Draw>
void expect_sorted_at_all_sizes(std::string_view name, Draw draw) {
    core::Random random(1);
    for (const std::size_t size : std::array<std::size_t, 7>{0, 1, 2, 16, 17, 100, 3000}) {
        std::vector<Item> items;
        for (std::size_t i = 0; i < size; ++i)
            items.emplace_back(draw(random), static_cast<std::uint32_t>(random.below(1000)));
        expect_sorted(std::move(items), name);
    }
}

TEST(BucketSort, SortsKeysSpreadEvenly) {
    expect_sorted_at_all_sizes("even", [](core::Random& r) { return r.between(-5, 700); });
}

TEST(BucketSort, SortsEqualKeysByTheRest) {
    expect_sorted_at_all_sizes("equal", [](core::Random&) { return 3.0; });
    expect_sorted_at_all_sizes("few", [](core::Random& r) { return static_cast<double>(r.below(3)); });
}

TEST(BucketSort, SortsKeysOfAllMagnitudes) {
    expect_sorted_at_all_sizes("magnitudes", [](core::Random& r) { return std::exp(r.between(-700, 700)); });
    expect_sorted_at_all_sizes("one far away",
                               [](core::Random& r) { return r.below(50) == 0 ? 1e300 : r.between(0, 1); });
}

}  // namespace
}  // namespace evertick::world
