#pragma once
// The simulation state, whole: everything that a tick reads or writes and that snapshots and hashes must
// cover. Plain data; the systems and the commands are its only writers, both on the simulation thread.
// Whoever writes a position tells the spatial index, which is made from the rest and belongs in no snapshot.

#include <cstdint>

#include "core/chunked_array.hpp"
#include "core/random.hpp"
#include "core/units.hpp"
#include "ecs/registry.hpp"
#include "server/world/event_log.hpp"
#include "server/world/spatial_index.hpp"

namespace evertick::world {

// An entity whose health reached zero in the last tick. By the end of that tick its handle is stale.
struct DeathEvent {
    ecs::Entity entity;
    ecs::Entity killer;  // null when nobody in particular
};

struct Counters {
    std::uint64_t spawned = 0;
    std::uint64_t destroyed = 0;  // by any cause: command, death, lifetime
    std::uint64_t deaths = 0;
    std::uint64_t expired = 0;      // lifetimes that ran out
    std::uint64_t clamped = 0;      // positions held at the world's limit
    std::uint64_t quarantined = 0;  // entities that a system gave a value that is not valid
};

struct World {
    explicit World(std::uint64_t random_seed) : seed(random_seed), random(random_seed) {}

    ecs::Registry registry;
    core::Tick tick = 0;  // ticks completed
    std::uint64_t seed;
    core::Random random;  // the only source of chance in the simulation
    Counters counters;
    core::ChunkedArray<DeathEvent> deaths;  // of the last tick
    EventLog events;                        // for those who listen; no part of the state
    std::uint64_t max_entities = 10'000'000;
    core::Tick regen_ticks = 1;   // health regenerates every so many ticks; at least 1
    std::uint32_t wanderers = 0;  // population that the demo scenario keeps up
    SpatialIndex spatial_index;   // told of every position that is written
};

}  // namespace evertick::world
