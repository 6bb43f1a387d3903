#include "server/world/quarantine.hpp"

#include <algorithm>
#include <cstring>

#include "core/chunked_array.hpp"

namespace evertick::world {
namespace {

ComponentMask bit(ComponentIndex index) { return ComponentMask{1} << index; }

void take_in(World& world, ecs::Entity entity, std::string_view system) {
    const Quarantined taken(world.registry, entity, world.tick, system);
    world.registry.emplace_or_replace<Quarantined>(entity, taken);
    remove_components(world.registry, entity, taken.components());
    ++world.counters.quarantined;
}

// The component as it was, where it is valid.
void restore(const ComponentType& type, void* record, const void* kept) {
    for (const core::Field& field : type.fields)
        if (core::is_valid(field, kept)) core::write(field, record, core::read(field, kept));
}

}  // namespace

Quarantined::Quarantined(const ecs::Registry& registry, ecs::Entity entity, core::Tick tick,
                         std::string_view system)
    : tick_(tick), system_(system), components_(components_of(registry, entity)) {
    for_each_component(components_, [&](ComponentIndex index) {
        const ComponentType& type = component_types()[index];
        std::memcpy(bytes_.data() + offset(index), type.peek(registry, entity), type.size_bytes);
    });
}

const void* Quarantined::find(ComponentIndex index) const {
    return (components_ & bit(index)) != 0 ? bytes_.data() + offset(index) : nullptr;
}

std::size_t Quarantined::offset(ComponentIndex index) {
    std::size_t bytes = 0;
    for (const ComponentType& before : component_types().first(index))
        bytes += detail::rounded_up(before.size_bytes, kAlignment);
    return bytes;
}

bool is_valid(const ComponentType& type, const void* record) {
    return std::ranges::all_of(type.fields,
                               [&](const core::Field& field) { return core::is_valid(field, record); });
}

std::size_t quarantine_invalid(World& world, std::string_view system) {
    core::ChunkedArray<ecs::Entity> found;
    for (const ComponentType& type : component_types())
        type.each(world.registry, [&](ecs::Entity entity) {
            if (!is_valid(type, type.peek(world.registry, entity))) found.push_back(entity);
        });
    const std::uint64_t before = world.counters.quarantined;
    for (const ecs::Entity entity : found)
        if (components_of(world.registry, entity) != 0) take_in(world, entity, system);
    world.spatial_index.invalidate();
    return world.counters.quarantined - before;
}

bool release(World& world, ecs::Entity entity) {
    ecs::Registry& registry = world.registry;
    const Quarantined* const kept = registry.try_get<Quarantined>(entity);
    if (kept == nullptr) return false;
    const ComponentMask back = kept->components() & ~components_of(registry, entity);
    add_components(registry, entity, back);
    for_each_component(back, [&](ComponentIndex index) {
        const ComponentType& type = component_types()[index];
        restore(type, type.get(registry, entity), kept->find(index));
    });
    registry.remove<Quarantined>(entity);
    world.spatial_index.invalidate();
    return true;
}

void hash_quarantine(const ecs::Registry& registry, HashStream& into) {
    registry.view<Quarantined>().each([&](ecs::Entity entity, const Quarantined& quarantined) {
        into.add(entity.raw);
        into.add(quarantined.tick());
        into.add(quarantined.system());
        into.add(quarantined.components());
        for_each_component(quarantined.components(), [&](ComponentIndex index) {
            component_types()[index].hash(quarantined.find(index), into);
        });
    });
}

}  // namespace evertick::world
