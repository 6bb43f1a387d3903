#include "server/systems/death.hpp"

#include "server/world/components.hpp"

namespace evertick::systems {

void death(ecs::Registry& registry, core::ChunkedArray<world::DeathEvent>& deaths) {
    for (const world::DeathEvent& event : deaths) registry.destroy_later(event.entity);
    registry.view<world::Health>().each([&](ecs::Entity entity, const world::Health& health) {
        if (health.current <= 0 && registry.destroy_later(entity))
            deaths.push_back({.entity = entity, .killer = ecs::Entity{}});
    });
}

}  // namespace evertick::systems
