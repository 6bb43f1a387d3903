#pragma once
// position += velocity * dt, for every entity that has both.

#include <cstddef>

#include "core/units.hpp"
#include "ecs/registry.hpp"

namespace evertick::systems {

struct Moved {
    std::size_t held = 0;     // entities that reached the world's limit
    std::size_t invalid = 0;  // entities that would leave it since where they are or their speed is not valid
};

// Moves everything one step. What would pass the world's limit is held there and loses its speed on that
// axis; what is not valid, such as NaN, is left as it is. cost: O(entities that have both)
Moved movement(ecs::Registry& registry, core::Seconds dt);

}  // namespace evertick::systems
