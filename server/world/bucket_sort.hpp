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
    const auto key_of = [&](const Item& item) { return static_cast<double>(std::invoke(key, item)); };
    double low = key_of(items.front()), high = low;
    for (const Item& item : items) {
        low = std::min(low, key_of(item));
        high = std::max(high, key_of(item));
    }
    // Two buckets an item: fewer share one, and fewer have to change places afterwards.
    const double per_key = high > low ? static_cast<double>(2 * items.size() - 1) / (high - low) : 0;
    const auto bucket = [&](const Item& item) {
        return static_cast<std::size_t>((key_of(item) - low) * per_key);
    };

    const core::MemMark mark(stack);
    const std::span ends = core::new_zeroed<std::uint32_t>(stack, 2 * items.size() + 1);
    for (const Item& item : items) ++ends[bucket(item)];
    std::uint32_t begin = 0, most = 0;
    for (std::uint32_t& end : ends) {
        most = std::max(most, end);
        begin += std::exchange(end, begin);
    }
    if (most > kCrowd) return std::sort(items.begin(), items.end(), less);
    const std::span copy = core::new_array<Item>(stack, items.size());
    std::ranges::copy(items, copy.begin());
    for (const Item& item : copy) items[ends[bucket(item)]++] = item;

    // Now nobody is farther than a bucket from where it belongs.
    for (std::size_t i = 1; i < items.size(); ++i)
        for (std::size_t at = i; at > 0 && less(items[at], items[at - 1]); --at)
            std::swap(items[at], items[at - 1]);
}

}  // namespace evertick::world
