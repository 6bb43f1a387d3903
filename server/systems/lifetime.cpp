#include "server/systems/lifetime.hpp"

#include "server/systems/countdown.hpp"
#include "server/world/components.hpp"

namespace evertick::systems {

std::size_t lifetime(ecs::Registry& registry, core::Seconds dt) {
    std::size_t expired = 0;
    registry.view<world::Lifetime>().each([&](ecs::Entity entity, world::Lifetime& life) {
        life.remaining = counted_down(life.remaining, dt);
        if (life.remaining <= 0 && registry.destroy_later(entity)) ++expired;
    });
    return expired;
}

}  // namespace evertick::systems
