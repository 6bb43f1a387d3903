#pragma once
// THE TICK: which systems run and in what order. A system is one row of the table in schedule.cpp.

#include <cstddef>
#include <span>
#include <string_view>

#include "core/mem_stack.hpp"
#include "core/units.hpp"
#include "server/world/world.hpp"

namespace evertick::systems {

// What a row may hand to its system; the systems themselves take only what they need.
struct Frame {
    world::World& world;
    core::Seconds dt;
    core::MemStack& scratch;  // under a mark that ends with the tick
};

struct System {
    std::string_view name;
    void (*run)(Frame&);
};

// Told what happens in a tick, to measure it. Reads the clock, if anybody does; allocates nothing.
class Watcher {
  public:
    virtual ~Watcher() = default;
    virtual void tick_begins() = 0;
    virtual void system_ran(std::size_t row) = 0;  // of the schedule
};

// The systems in the order of a tick.
std::span<const System> schedule();

// Advances the world by one tick of dt seconds: world.tick counts it, world.deaths are those of this tick,
// and whatever died in it is gone. requires: dt > 0 (verified); nothing else touches the world meanwhile
// cost: the systems'; in steady state no heap allocation
void step(world::World& world, core::Seconds dt, core::MemStack& scratch, Watcher* watcher = nullptr);

}  // namespace evertick::systems
