#pragma once
// What happened to entities since it was last emptied, for those who listen. No part of the world's state:
// whether somebody listens changes nothing in the simulation.
//
// cost: one branch for each call while nobody listens. Bounded: beyond kMaxEvents, or without memory, they
// are only counted. Not thread-safe.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/chunked_array.hpp"
#include "ecs/registry.hpp"
#include "server/world/distance.hpp"

namespace evertick::world {

// The last two are of a region and worked out for each, see commands/streams.hpp.
enum class EventKind : std::uint8_t { spawn, destroy, death, enter, leave };
inline constexpr std::size_t kEventKinds = 5;
constexpr std::array<std::string_view, kEventKinds> words(EventKind) {
    return {"spawn", "destroy", "death", "enter", "leave"};
}

struct Event {
    EventKind kind = EventKind::spawn;
    ecs::Entity entity;
    ecs::Entity killer;            // of a death; null when nobody in particular
    std::optional<Vector3> place;  // where it was, if anywhere
};

class EventLog {
  public:
    static constexpr std::size_t kMaxEvents = 65'536;

    bool listening() const { return listening_; }
    void listen(bool on);

    // Of entities that are valid still, or doomed.
    void note_spawned(const ecs::Registry& registry, std::span<const ecs::Entity> entities) {
        if (listening_) note_all(EventKind::spawn, registry, entities);
    }
    void note_destroyed(const ecs::Registry& registry, std::span<const ecs::Entity> entities) {
        if (listening_) note_all(EventKind::destroy, registry, entities);
    }
    // The doomed, before they are swept.
    void note_doomed(const ecs::Registry& registry);
    void note_death(const ecs::Registry& registry, ecs::Entity entity, ecs::Entity killer) {
        if (listening_) note(registry, {.kind = EventKind::death, .entity = entity, .killer = killer});
    }

    const core::ChunkedArray<Event>& events() const { return events_; }
    std::uint64_t lost(EventKind kind) const { return lost_[static_cast<std::size_t>(kind)]; }
    void clear();

  private:
    void note(const ecs::Registry& registry, Event event);
    void note_all(EventKind kind, const ecs::Registry& registry, std::span<const ecs::Entity> entities);

    core::ChunkedArray<Event> events_;
    std::array<std::uint64_t, kEventKinds> lost_{};
    bool listening_ = false;
};

}  // namespace evertick::world
