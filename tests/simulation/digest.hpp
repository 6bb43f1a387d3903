#pragma once
// One 64-bit number over a whole world: every entity in ascending index, every component and field it has in
// declaration order, the generator, the counters. Equal worlds have equal digests on every build; two that
// differ anywhere do not, for all practical purposes.

#include <cstdint>

#include "server/world/world.hpp"

namespace evertick::test {

std::uint64_t digest(const world::World& world);

}  // namespace evertick::test
