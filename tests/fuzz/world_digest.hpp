#pragma once
// A number that differs when two worlds do: tick, random numbers, counters, entities and their components.

#include <cstddef>

#include "server/world/world.hpp"

namespace evertick::fuzz {

// Of a crowd it sees only some: it is worked out for every command.
std::size_t digest_of(const world::World& world);

}  // namespace evertick::fuzz
