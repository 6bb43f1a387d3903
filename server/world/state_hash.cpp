#include "server/world/state_hash.hpp"

#include "server/world/hash_stream.hpp"
#include "server/world/quarantine.hpp"

namespace evertick::world {
namespace {

void add_entities(HashStream& hash, const ecs::Registry& registry) {
    hash.add(registry.index_count());
    for (const ecs::Entity entity : registry.entities()) hash.add(entity.raw);
    registry.each_free([&](ecs::Entity next) { hash.add(next.raw); });
}

void add_numbers(HashStream& hash, const World& world) {
    hash.add(world.tick);
    hash.add(world.seed);
    for (const std::uint64_t word : world.random.state()) hash.add(word);
    const auto& [spawned, destroyed, deaths, expired, clamped, quarantined] = world.counters;
    for (const std::uint64_t counter : {spawned, destroyed, deaths, expired, clamped, quarantined})
        hash.add(counter);
    hash.add(world.regen_ticks);
    hash.add(world.wanderers);
}

}  // namespace

StateHash state_hash(const World& world) {
    StateHash result;
    HashStream whole;
    add_numbers(whole, world);
    add_entities(whole, world.registry);
    const auto types = component_types();
    for (std::size_t i = 0; i < types.size(); ++i) {
        HashStream component;
        types[i].hash_all(world.registry, component);
        result.components[i] = component.value();
        whole.add(types[i].name);
        whole.add(result.components[i]);
    }
    hash_quarantine(world.registry, whole);
    result.whole = whole.value();
    return result;
}

}  // namespace evertick::world
