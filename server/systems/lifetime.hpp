#pragma once
// Whatever has a lifetime ends when it has run out.

#include <cstddef>

#include "core/units.hpp"
#include "ecs/registry.hpp"

namespace evertick::systems {

// Takes dt from every lifetime and marks for destruction what has none left.
// Returns how many expired; one that died earlier in this tick is not among them.
// cost: O(entities with lifetime)
std::size_t lifetime(ecs::Registry& registry, core::Seconds dt);

}  // namespace evertick::systems
