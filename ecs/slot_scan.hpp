#pragma once
// The inner loops of views over ids alone, the same for all component types.
// Thread safety: as SparseSet.

#include <cstddef>
#include <span>

#include "ecs/sparse_set.hpp"

namespace evertick::ecs {

// Returns how many ids at the beginning of both are equal.
std::size_t count_equal(std::span<const SparseSet::Index> a, std::span<const SparseSet::Index> b);

// Returns how many slots at the beginning are entities, neither pending nor holes.
std::size_t count_unmarked(std::span<const SparseSet::Index> slots);

}  // namespace evertick::ecs
