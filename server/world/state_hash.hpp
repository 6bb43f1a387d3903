#pragma once
// The hash of the simulation state: two servers that have the same one at the same tick have the same world,
// and will have it at every later tick if the same is done to both. Equal on every compiler and level.
//
// It covers the entities, the order in which slots are reused, all components in the order in which systems
// meet them, what is in quarantine, the generator, the counters and the numbers that systems work with. Not
// how memory happens to lie, nor limits that only refuse commands.

#include <array>
#include <cstdint>

#include "server/world/component_type.hpp"
#include "server/world/world.hpp"

namespace evertick::world {

struct StateHash {
    std::uint64_t whole = 0;
    std::array<std::uint64_t, kMaxComponentTypes> components{};  // by ComponentIndex; part of `whole`
};

// cost: O(components and entities), about 5 ns for each: longer than a tick, and all at one moment
StateHash state_hash(const World& world);

}  // namespace evertick::world
