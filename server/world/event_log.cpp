#include "server/world/event_log.hpp"

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
    if (events_.size() == kMaxEvents) {
        ++lost_[static_cast<std::size_t>(event.kind)];
        return;
    }
    const Position* place = registry.try_get<Position>(event.entity);
    if (place == nullptr) place = registry.try_get_pending<Position>(event.entity);
    if (place != nullptr) event.place = point(*place);
    events_.push_back(event);
}

void EventLog::clear() {
    events_.clear();
    lost_ = {};
}

}  // namespace evertick::world
