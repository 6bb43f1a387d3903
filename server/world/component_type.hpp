#pragma once
// One component type with its C++ type erased: the schema, and plain function pointers into its pool. It
// keeps the commands, filters and persistence free of templates.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "core/schema.hpp"
#include "ecs/registry.hpp"

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
    const void* defaults;          // one component as constructed
    ecs::ComponentMask (*mask)();  // its bit in Registry::mask()
};

// Number of a component type: its place in component_types().
using ComponentIndex = std::uint8_t;
inline constexpr std::size_t kMaxComponentTypes = 32;

// A set of component types: bit n is component_types()[n].
using ComponentMask = std::uint32_t;

// Every component of the world, in declaration order: the order of GET, snapshots and the hash.
std::span<const ComponentType> component_types();

// The number of the component of that name, or nothing.
std::optional<ComponentIndex> find_component(std::string_view name);

}  // namespace evertick::world
