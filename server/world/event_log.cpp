#include "server/world/event_log.hpp"

#include <new>

#include "server/world/components.hpp"

namespace evertick::world {

void EventLog::listen(bool on) {
    listening_ = on;
    if (!on) clear();
}

void EventLog::note_doomed(const ecs::Registry& registry) {
    if (!listening_) return;
    for (const ecs::Entity entity : registry.pending())
        note(registry, {.kind = EventKind::destroy, .entity = entity});
}

void EventLog::note_all(EventKind kind, const ecs::Registry& registry,
                        std::span<const ecs::Entity> entities) {
    for (const ecs::Entity entity : entities)
        if (registry.valid(entity)) note(registry, {.kind = kind, .entity = entity});
}

void EventLog::note(const ecs::Registry& registry, Event event) {
    std::uint64_t& lost = lost_[static_cast<std::size_t>(event.kind)];
    if (events_.size() == kMaxEvents) {
        ++lost;
        return;
    }
    const Position* place = registry.try_get<Position>(event.entity);
    if (place == nullptr) place = registry.try_get_pending<Position>(event.entity);
    if (place != nullptr) event.place = point(*place);
    try {
        events_.push_back(event);
    } catch (const std::bad_alloc&) {
        ++lost;
    }
}

void EventLog::clear() {
    events_.clear();
    lost_ = {};
}

}  // namespace evertick::world
