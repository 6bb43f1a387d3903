#pragma once
// The arithmetic of a tick over plain arrays, for the benchmark: what the same work costs when every entity
// has every component, nothing is created or destroyed and nothing has a name. It is the floor, not a rival.

#include <cstddef>
#include <vector>

#include "core/units.hpp"
#include "server/world/components.hpp"

namespace evertick::bench {

struct PlainArrays {
    std::vector<world::Position> positions;
    std::vector<world::Velocity> velocities;
    std::vector<world::Health> healths;
    std::vector<world::Lifetime> lifetimes;
};

// Movement, regeneration, and looking for who has died or expired.
// Returns how many did.
std::size_t tick(PlainArrays& arrays, core::Seconds dt);

}  // namespace evertick::bench
