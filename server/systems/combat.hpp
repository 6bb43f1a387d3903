#pragma once
// Blows: everyone whose Ai says attack hits its target as often as its cooldown lets it.

#include <cstdint>

#include "core/chunked_array.hpp"
#include "core/units.hpp"
#include "ecs/registry.hpp"
#include "server/world/world.hpp"

namespace evertick::systems {

inline constexpr std::int32_t kAttackDamage = 5;
inline constexpr double kAttackCooldown = 1;  // s between two blows of one entity

// Counts cooldowns down and deals the blows of this tick. All blows of a tick are simultaneous: two who
// strike each other down both fall. A target without health feels nothing. Appends each death it causes, with
// the entity whose blow brought the health to zero. cost: O(entities with ai)
void combat(ecs::Registry& registry, core::Seconds dt, core::ChunkedArray<world::DeathEvent>& deaths);

}  // namespace evertick::systems
