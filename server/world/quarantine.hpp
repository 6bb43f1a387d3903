#pragma once
// Quarantine: where an entity goes when a system has given it a value beyond its limits, or one that is no
// number. Its components are taken from it and kept aside as they were: no system, filter or neighbour meets
// them, so nothing spreads. The entity stays alive and can be looked at, released or destroyed.
//
// No entrance lets such a value in; each one in quarantine is a mistake of ours in a system. Not thread-safe.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/units.hpp"
#include "ecs/registry.hpp"
#include "server/world/component_type.hpp"
#include "server/world/components.hpp"
#include "server/world/hash_stream.hpp"
#include "server/world/world.hpp"

namespace evertick::world {

// What an entity had. A component itself, but none of component_types(): it has no text form, and destroying
// the entity ends it.
class Quarantined {
  public:
    // Copies the components of an entity. `system` lives as long as the program.
    Quarantined(const ecs::Registry& registry, ecs::Entity entity, core::Tick tick, std::string_view system);

    core::Tick tick() const { return tick_; }            // ticks completed before the one that broke it
    std::string_view system() const { return system_; }  // which system found its own result broken
    ComponentMask components() const { return components_; }
    // The component as it was, or nullptr.
    const void* find(ComponentIndex index) const;

  private:
    static constexpr std::size_t kAlignment = alignof(std::max_align_t);
    static constexpr std::size_t kBytes = detail::total_bytes(Components{}, kAlignment);

    static std::size_t offset(ComponentIndex index);

    core::Tick tick_;
    std::string_view system_;
    ComponentMask components_;
    alignas(kAlignment) std::array<std::byte, kBytes> bytes_{};
};

// Whether each field of a component is within its limits.
bool is_valid(const ComponentType& type, const void* record);

// Puts everyone in quarantine who holds a value that is not valid. Returns how many.
// cost: O(all components there are): for when a system knows that there is one      errors: std::bad_alloc
std::size_t quarantine_invalid(World& world, std::string_view system);

// Gives the entity back what it had; a value that was not valid is that of a new component. A component that
// it was given meanwhile stays. Returns false, and does nothing, when it is not in quarantine.
// errors: std::bad_alloc, with nothing changed
bool release(World& world, ecs::Entity entity);

// Adds to the hash whoever is in quarantine, and with what.
void hash_quarantine(const ecs::Registry& registry, HashStream& into);

}  // namespace evertick::world
