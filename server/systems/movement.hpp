#pragma once
// position += velocity * dt, for every entity that has both.

#include <cstddef>

#include "core/units.hpp"
#include "ecs/registry.hpp"

namespace evertick::systems {

// Moves everything one step. What would pass the world's limit is held there and loses its speed on that
// axis; what would not be a number stays where it was. Returns how many entities were held.      cost:
// O(entities that have both)
std::size_t movement(ecs::Registry& registry, core::Seconds dt);

}  // namespace evertick::systems
