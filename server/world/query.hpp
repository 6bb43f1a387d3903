#pragma once
// Which entities match: by components, flags, field values and place, combined. The text form is the
// commands' business; this is the meaning. Candidates come from where there are fewest: from the region by
// the spatial index, from the component that the fewest have, or from all entities in the order of their
// index.

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "core/mem_stack.hpp"
#include "core/schema.hpp"
#include "ecs/registry.hpp"
#include "server/world/component_type.hpp"
#include "server/world/region.hpp"
#include "server/world/world.hpp"

namespace evertick::world {

// `component.field <op> value`; an entity without the component never matches, also for `!=`.
struct FieldCondition {
    ComponentIndex component;
    const core::Field* field;
    core::Comparison op;
    core::FieldValue value;
};

struct Filter {
    ComponentMask with = 0;     // has all of these
    ComponentMask without = 0;  // has none of these
    std::uint32_t flags = 0;    // all of these bits set in its flags component
    // The initialisers let g++ accept a filter that names only some members.
    std::span<const FieldCondition> where = {};  // NOLINT(readability-redundant-member-init)
    Region region = {};                          // NOLINT(readability-redundant-member-init)

    bool empty() const;
    bool ordered_by_distance() const;  // Near or Nearest
};

// Whether one entity matches all but the order and count of Nearest. An entity that is not alive, or is
// marked for destruction, never does; nor does one without position when there is a region. cost:
// O(conditions)
bool matches(const World& world, ecs::Entity entity, const Filter& filter);

struct Selection {
    std::span<const ecs::Entity> entities;  // on the stack that was passed
    std::uint64_t cursor = 0;               // where to go on; 0 when finished
};

// The matching entities.
// shape:    at most limit; nearest first (ties by index) for Near and Nearest, else ascending index from
//           cursor on
// requires: cursor == 0 for Near and Nearest (verified); a live MemMark on the stack
// cost:     with a region, the spatial index's (which may be made anew) for those in the region, or nearer
//           than the last one selected; else O(those having the rarest component asked for), or a walk over
//           the entities from cursor on until limit are found. A condition costs only those it is asked of.
//           Allocates from stack only
Selection select(World& world, const Filter& filter, std::size_t limit, std::uint64_t cursor,
                 core::MemStack& stack);

// How many match. cost: as select without limit
std::size_t count(World& world, const Filter& filter, core::MemStack& stack);

}  // namespace evertick::world
