#include "server/systems/regeneration.hpp"

#include "core/verify.hpp"
#include "server/world/components.hpp"

namespace evertick::systems {

void regeneration(ecs::Registry& registry, core::Tick tick, core::Tick regen_ticks) {
    core::verify(regen_ticks > 0, "regeneration comes every so many ticks");
    if (tick % regen_ticks != 0) return;
    registry.view<world::Health>().each([](world::Health& health) {
        if (health.current > 0 && health.current < health.max) ++health.current;
    });
}

}  // namespace evertick::systems
