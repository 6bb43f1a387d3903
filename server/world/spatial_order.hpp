#pragma once
// Entities in an order that keeps neighbours together: what stands close in space stands close in the array.
// It is a means only; nothing is wrong, only slower, when two neighbours end up apart.
//
// Everyone is dealt into the cells of a grid over the bounds of all, cells that halve the widest side again
// and again, so they are cubes, or squares when all stand in a plane. Cells come in the order of the halving
// (the Z-order curve, where the sides are equal). A crowded cell is dealt again, over its own bounds: one
// straggler at the end of the world costs the others one more round, no more.

#include <cstdint>
#include <span>

#include "core/mem_stack.hpp"
#include "ecs/registry.hpp"
#include "server/world/distance.hpp"

namespace evertick::world {

// An entity and where it stood.
struct Placed {
    Vector3 place;
    std::uint32_t index = 0, generation = 0;

    ecs::Entity entity() const { return ecs::Entity::from(index, generation); }
};

// Fills `out` with everyone valid who has a position. The same world gives the same order.
// requires: out.size() == registry.count<Position>(); every position finite
// cost:     O(n), and O(n in it) for each time a crowded cell is dealt again: below 175 times for floats at
//           their most hostile, as a rule never. Allocates from scratch, at most 18 bytes for each in a
//           crowded cell.
void order_spatially(const ecs::Registry& registry, std::span<Placed> out, core::MemStack& scratch);

}  // namespace evertick::world
