#pragma once
// Entities for tests in one line, and enums that print their names.

#include <ostream>
#include <utility>

#include "ecs/registry.hpp"
#include "server/world/components.hpp"

namespace evertick::world {

inline void PrintTo(AiState state, std::ostream* out) { *out << words(state)[std::to_underlying(state)]; }

}  // namespace evertick::world

namespace evertick::test {

// A new entity with these components.
template <class... Component>
ecs::Entity spawn(ecs::Registry& registry, const Component&... component) {
    const ecs::Entity entity = registry.create();
    (registry.emplace<Component>(entity, component), ...);
    return entity;
}

}  // namespace evertick::test
