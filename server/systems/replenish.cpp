#include "server/systems/replenish.hpp"

#include "server/world/components.hpp"
#include "server/world/scenario.hpp"

namespace evertick::systems {

void replenish(world::World& world) {
    const ecs::Registry& registry = world.registry;
    while (registry.count<world::Lifetime>() < world.wanderers && registry.alive_count() < world.max_entities)
        world::spawn_wanderer(world);
}

}  // namespace evertick::systems
