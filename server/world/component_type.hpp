#pragma once
// One component type with its C++ type erased: the schema, and plain function pointers into its pool. It
// keeps the commands, filters and persistence free of templates.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "core/schema.hpp"
#include "ecs/registry.hpp"
#include "server/world/hash_stream.hpp"

namespace evertick::world {

struct ComponentType : core::RecordType {
    // Adds the component with its defaults, or returns the one that is there. requires: entity valid
    void* (*add)(ecs::Registry&, ecs::Entity);
    // nullptr when the entity is gone or has none.
    void* (*get)(ecs::Registry&, ecs::Entity);
    const void* (*peek)(const ecs::Registry&, ecs::Entity);
    bool (*remove)(ecs::Registry&, ecs::Entity);  // false when there was none
    std::size_t (*count)(const ecs::Registry&);
    // Calls visit with each entity that has one, in no order worth knowing.
    void (*each)(const ecs::Registry&, const std::function<void(ecs::Entity)>& visit);
    // Adds to the hash: one component's fields; and of all that there are, whose each is, in the order in
    // which views meet them, and its fields.
    void (*hash)(const void* record, HashStream& into);
    void (*hash_all)(const ecs::Registry&, HashStream& into);
    const void* defaults;          // one component as constructed
    ecs::ComponentMask (*mask)();  // its bit in Registry::mask()
};

// Number of a component type: its place in component_types().
using ComponentIndex = std::uint8_t;
inline constexpr std::size_t kMaxComponentTypes = 32;

// A set of component types: bit n is component_types()[n].
using ComponentMask = std::uint32_t;

// Calls use(index) for each of the set, in declaration order.
template <class Use>
void for_each_component(ComponentMask components, Use use) {
    for (; components != 0; components &= components - 1)
        use(static_cast<ComponentIndex>(std::countr_zero(components)));
}

// Every component of the world, in declaration order: the order of GET, snapshots and the hash.
std::span<const ComponentType> component_types();

// The number of the component of that name, or nothing.
std::optional<ComponentIndex> find_component(std::string_view name);

// Which components the entity has; none when it is gone. cost: O(components it has)
ComponentMask components_of(const ecs::Registry& registry, ecs::Entity entity);

// Gives the entity these components with their defaults, all or none.
// requires: the entity is valid and has none of them      errors: std::bad_alloc, with nothing changed
void add_components(ecs::Registry& registry, ecs::Entity entity, ComponentMask components);

// Takes those components of the set from the entity that it has. Returns how many; none when it is gone.
std::size_t remove_components(ecs::Registry& registry, ecs::Entity entity, ComponentMask components);

}  // namespace evertick::world
