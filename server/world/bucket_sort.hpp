#pragma once
// bucket_sort(): sorts answers, whose keys are spread more or less evenly: a region's distances, indices.
// Three times as fast as std::sort on a hundred of them, and that is most of what a query of that size costs.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>

#include "core/mem_stack.hpp"

namespace evertick::world {

// Sorts by less(a, b). key(item) is a number that never falls in that order.
// cost: O(n) for keys spread evenly, O(n log n) at worst; allocates a copy from the stack
template <class Item, class Key, class Less>
void bucket_sort(std::span<Item> items, core::MemStack& stack, Key key, Less less) {
    constexpr std::size_t kFew = 16;
    constexpr std::uint32_t kCrowd = 16;  // in one bucket: the keys are not spread evenly
    if (items.size() <= kFew) return std::sort(items.begin(), items.end(), less);
    const auto [lowest, highest] = std::ranges::minmax(items, {}, key);
    const auto low = static_cast<double>(std::invoke(key, lowest));
    const double width = static_cast<double>(std::invoke(key, highest)) - low;
    const double per_key = width > 0 ? static_cast<double>(items.size() - 1) / width : 0;
    const auto bucket = [&](const Item& item) {
        return static_cast<std::size_t>((static_cast<double>(std::invoke(key, item)) - low) * per_key);
    };

    const core::MemMark mark(stack);
    const std::span ends = core::new_zeroed<std::uint32_t>(stack, items.size() + 1);
    for (const Item& item : items) ++ends[bucket(item)];
    if (*std::ranges::max_element(ends) > kCrowd) return std::sort(items.begin(), items.end(), less);
    std::uint32_t begin = 0;
    for (std::uint32_t& end : ends) begin += std::exchange(end, begin);
    const std::span copy = core::new_array<Item>(stack, items.size());
    std::ranges::copy(items, copy.begin());
    for (const Item& item : copy) items[ends[bucket(item)]++] = item;

    // Now nobody is farther than a bucket from where it belongs.
    for (std::size_t i = 1; i < items.size(); ++i)
        for (std::size_t at = i; at > 0 && less(items[at], items[at - 1]); --at)
            std::swap(items[at], items[at - 1]);
}

}  // namespace evertick::world
