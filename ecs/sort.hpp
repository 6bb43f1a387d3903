#pragma once
// Sorting the slots of a pool: first the order, which may fail and changes nothing, then the moves, which
// cannot fail.

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "ecs/pool.hpp"
#include "ecs/sparse_set.hpp"

namespace evertick::ecs {

// The order of the slots from `first` to below `end`: element n is how far from `first` the component is that
// belongs n slots from there. Equal ones stay in the order they are in.
// requires: compare is a strict weak order
// errors: std::bad_alloc, or what compare throws      cost: O(n log n)
template <class T, class Compare>
std::vector<SparseSet::Position> sorted_order(const Pool<T>& pool, std::size_t first, std::size_t end,
                                              Compare& compare) {
    std::vector<SparseSet::Position> order(end - first);
    std::iota(order.begin(), order.end(), SparseSet::Position{0});
    const auto component = [&](SparseSet::Position n) -> const T& {
        return pool[static_cast<SparseSet::Position>(first) + n];
    };
    // Not stable_sort: a tie is settled by the place, and no buffer is needed.
    std::sort(order.begin(), order.end(), [&](SparseSet::Position a, SparseSet::Position b) {
        if (compare(component(a), component(b))) return true;
        return !compare(component(b), component(a)) && a < b;
    });
    return order;
}

// Puts slots from `first` on into that order by swap(position, position). cost: O(n)
template <class Swap>
void apply_order(std::vector<SparseSet::Position> order, std::size_t first, Swap swap) {
    const auto base = static_cast<SparseSet::Position>(first);
    for (SparseSet::Position start = 0; start < order.size(); ++start) {
        // One cycle: each swap brings one slot what belongs there, and the last has what was at the start.
        SparseSet::Position to = start;
        while (order[to] != start) {
            const SparseSet::Position from = std::exchange(order[to], to);
            swap(base + to, base + from);
            to = from;
        }
        order[to] = to;
    }
}

}  // namespace evertick::ecs
