#pragma once
// A world in which every system has something to do for ever: fighters that chase, strike, flee and die, and
// newcomers for the fallen.

#include <cstddef>

#include "server/world/world.hpp"

namespace evertick::test {

// World::regen_ticks for a battle: at one tick, wounds close faster than they are dealt and nobody falls.
inline constexpr core::Tick kBattleRegenTicks = 60;

// Spawns fighters until there are that many, and has everyone who has no opponent look for one: one draw a
// call. Called between ticks it keeps the fight going. cost: O(fighters)
void reinforce(world::World& world, std::size_t fighters);

}  // namespace evertick::test
