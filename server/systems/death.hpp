#pragma once
// Whoever has no health left dies.

#include "core/chunked_array.hpp"
#include "ecs/registry.hpp"
#include "server/world/world.hpp"

namespace evertick::systems {

// Marks for destruction everyone in `deaths`, and everyone else whose health is zero, whom it appends there
// with no killer. Their handles are stale at once; the sweep takes them away.
// cost: O(entities with health)
void death(ecs::Registry& registry, core::ChunkedArray<world::DeathEvent>& deaths);

}  // namespace evertick::systems
