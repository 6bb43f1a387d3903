#include "server/systems/schedule.hpp"

#include <array>

#include "core/verify.hpp"
#include "server/systems/ai.hpp"
#include "server/systems/combat.hpp"
#include "server/systems/death.hpp"
#include "server/systems/lifetime.hpp"
#include "server/systems/movement.hpp"
#include "server/systems/regeneration.hpp"
#include "server/systems/replenish.hpp"
#include "server/world/quarantine.hpp"

namespace evertick::systems {
namespace {

void run_movement(Frame& frame) {
    frame.world.spatial_index.invalidate();
    const Moved moved = movement(frame.world.registry, frame.dt);
    frame.world.counters.clamped += moved.held;
    if (moved.invalid > 0) world::quarantine_invalid(frame.world, "movement");
}

void run_regeneration(Frame& frame) {
    regeneration(frame.world.registry, frame.world.tick + 1, frame.world.regen_ticks);
}

void run_ai(Frame& frame) {
    if (ai(frame.world.registry) > 0) world::quarantine_invalid(frame.world, "ai");
}

void run_combat(Frame& frame) { combat(frame.world.registry, frame.dt, frame.world.deaths); }

void run_death(Frame& frame) {
    death(frame.world.registry, frame.world.deaths);
    frame.world.counters.deaths += frame.world.deaths.size();
    for (const world::DeathEvent& event : frame.world.deaths)
        frame.world.events.note_death(frame.world.registry, event.entity, event.killer);
}

void run_lifetime(Frame& frame) { frame.world.counters.expired += lifetime(frame.world.registry, frame.dt); }

void run_sweep(Frame& frame) {
    frame.world.events.note_doomed(frame.world.registry);
    frame.world.counters.destroyed += frame.world.registry.sweep();
}

void run_replenish(Frame& frame) { replenish(frame.world); }

constexpr std::array kSchedule{
    System{"movement", &run_movement},
    System{"regeneration", &run_regeneration},
    System{"ai", &run_ai},
    System{"combat", &run_combat},
    System{"death", &run_death},
    System{"lifetime", &run_lifetime},
    System{"sweep", &run_sweep},
    System{"replenish", &run_replenish},
};

}  // namespace

std::span<const System> schedule() { return kSchedule; }

void step(world::World& world, core::Seconds dt, core::MemStack& scratch, Watcher* watcher) {
    core::verify(dt.value > 0, "a tick takes time");
    const core::MemMark mark(scratch);
    world.deaths.clear();
    Frame frame{world, dt, scratch};
    if (watcher != nullptr) watcher->tick_begins();
    for (std::size_t row = 0; row < kSchedule.size(); ++row) {
        kSchedule[row].run(frame);
        if (watcher != nullptr) watcher->system_ran(row);
    }
    ++world.tick;
}

}  // namespace evertick::systems
