#pragma once
// What everyone with an Ai and a position does about its target, decided anew each tick. The first row that
// holds wins:
//
//   when                                                       state    and
//   ---------------------------------------------------------  -------  ------------------------------------
//   no target, or it is gone, dying, unplaced, or itself       idle     the target is cleared
//   health below a fifth of its max                            flee     away from the target at kFleeSpeed
//   the target is within kAttackRange                          attack   stands still; combat does the rest
//   the target is within detection_range                       chase    to the target at kChaseSpeed
//   otherwise                                                  idle
//
// Who becomes idle stops once; after that its velocity is left alone, so that something idle may be set in
// motion. An entity without velocity decides but does not move. Decisions read positions, health and handles
// and write none of them: the order in which entities decide does not matter.

#include <cstddef>

#include "ecs/registry.hpp"

namespace evertick::systems {

inline constexpr double kAttackRange = 1.5;  // m
inline constexpr double kChaseSpeed = 2;     // m/s
inline constexpr double kFleeSpeed = 3;      // m/s

// Returns how many now have a velocity that is not valid, since something they decide by is not.
// cost: O(entities with ai)
std::size_t ai(ecs::Registry& registry);

}  // namespace evertick::systems
