#pragma once
// The living slowly heal.

#include "core/units.hpp"
#include "ecs/registry.hpp"

namespace evertick::systems {

// +1 health up to max, in ticks whose number regen_ticks divides. Never lowers health that is above max,
// never revives: who is at zero stays there and dies in this tick. requires: regen_ticks > 0 (verified) cost:
// O(entities with health)
void regeneration(ecs::Registry& registry, core::Tick tick, core::Tick regen_ticks);

}  // namespace evertick::systems
