#pragma once
// Keeps up the population of the demo.

#include "server/world/world.hpp"

namespace evertick::systems {

// Spawns wanderers until as many entities with a lifetime are alive as World::wanderers asks for, or
// max_entities is reached. Does nothing in a world that asks for none.
// cost: O(spawned)
void replenish(world::World& world);

}  // namespace evertick::systems
