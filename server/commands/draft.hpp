#pragma once
// The components a command is about to write. Every word is parsed and checked into the draft first; only a
// whole draft reaches the world, so a failing command changes nothing.

#include <array>
#include <string_view>

#include "core/mem_stack.hpp"
#include "core/result.hpp"
#include "ecs/registry.hpp"
#include "server/commands/arguments.hpp"
#include "server/world/component_type.hpp"
#include "server/world/world.hpp"

namespace evertick::commands {

class Draft {
  public:
    // Starts from the components of `entity`, or from none when it is null.
    // requires: a live mark on the stack for as long as the draft is used
    Draft(world::World& world, ecs::Entity entity, core::MemStack& stack);

    // A copy whose records live on another stack.
    Draft(const Draft& other, core::MemStack& stack);

    // "position=1,2,3", "position.x=5", "flags=+elite", or a bare "ai": the component with its defaults when
    // the entity lacks it. Later words see what earlier ones set. errors: BADARG (unknown component or field,
    // value); the draft is as before then
    core::Result<> apply(std::string_view word);

    // The same for a field, or a component as a whole, and its value apart.
    core::Result<> set(const FieldPath& path, std::string_view value);

    // Begins to fetch the entity's component from memory, before record() or set() need it; changes nothing.
    void prefetch(world::ComponentIndex index);

    world::ComponentMask touched() const { return touched_; }
    // Those of them that the entity lacks.
    world::ComponentMask added() const { return added_; }

    // The draft's record of a component, which it now touches.
    void* record(world::ComponentIndex index);

    // Writes every touched component. cost: O(components touched)
    // requires: entity valid; it is the draft's own and has the components it had, or the draft is of none
    // and it has none      errors: std::bad_alloc, with nothing changed
    void write_to(ecs::Entity entity) const;

  private:
    core::Result<> assign(std::string_view path, std::string_view value);

    world::World& world_;
    ecs::Entity entity_;
    core::MemStack& stack_;
    world::ComponentMask touched_ = 0;
    world::ComponentMask added_ = 0;
    world::ComponentMask fetched_ = 0;
    std::array<void*, world::kMaxComponentTypes> records_{};
};

}  // namespace evertick::commands
