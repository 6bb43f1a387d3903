#pragma once
// What everyone with an Ai and a position does about its target, decided anew each tick:
//
//   no target, or it is gone, dying, without a position, or itself    idle, and the target is cleared
//   health below a fifth of its max                                   flee:   away from the target at
//   kFleeSpeed target within kAttackRange                                        attack: stand still; combat
//   does the rest target within detection_range                                     chase:  to the target at
//   kChaseSpeed else                                                              idle
//
// The upper row wins. Who becomes idle stops once; after that its velocity is left alone, so that something
// idle may be set in motion. An entity without velocity decides but does not move. Decisions read positions,
// health and handles and write none of them: the order in which entities decide does not matter.

#include "ecs/registry.hpp"

namespace evertick::systems {

inline constexpr double kAttackRange = 1.5;  // m
inline constexpr double kChaseSpeed = 2;     // m/s
inline constexpr double kFleeSpeed = 3;      // m/s

// cost: O(entities with ai)
void ai(ecs::Registry& registry);

}  // namespace evertick::systems
