#include <algorithm>
#include <array>
#include <bit>
#include <type_traits>
#include <utility>

#include "server/world/component_type.hpp"
#include "server/world/components.hpp"

namespace evertick::world {
namespace {

template <class Component>
inline constexpr Component kDefaults{};

// Field by field: what lies between them is undefined. Sizes and places are constants here.
template <class Component>
void hash_fields(const Component& component, HashStream& into) {
    const auto add = [&](const core::Field& field, std::size_t bytes) {
        into.add(field.at(const_cast<Component*>(&component)), bytes);  // at() only computes an address
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        constexpr const auto& kFields = core::kSchema<Component>.fields;
        static_assert(((core::size_bytes(kFields[I].kind) > 0) && ...), "a component holds no text");
        (add(kFields[I], core::size_bytes(kFields[I].kind)), ...);
    }(std::make_index_sequence<core::kSchema<Component>.fields.size()>());
}

template <class Component>
constexpr ComponentType component_type() {
    static_assert(std::is_trivially_copyable_v<Component>, "commands and snapshots copy components as bytes");
    using ecs::Entity;
    using ecs::Registry;
    return {
        core::record_type<Component>(),
        [](Registry& registry, Entity entity) -> void* {
            Component* const present = registry.try_get<Component>(entity);
            return present != nullptr ? present : &registry.emplace<Component>(entity);
        },
        [](Registry& registry, Entity entity) -> void* { return registry.try_get<Component>(entity); },
        [](const Registry& registry, Entity entity) -> const void* {
            return registry.try_get<Component>(entity);
        },
        [](Registry& registry, Entity entity) { return registry.remove<Component>(entity); },
        [](const Registry& registry) -> std::size_t { return registry.count<Component>(); },
        [](const Registry& registry, const std::function<void(Entity)>& visit) {
            registry.view<Component>().each([&](Entity entity, const Component&) { visit(entity); });
        },
        [](const void* record, HashStream& into) {
            hash_fields(*static_cast<const Component*>(record), into);
        },
        [](const Registry& registry, HashStream& into) {
            registry.view<Component>().each([&](Entity entity, const Component& component) {
                into.add(entity.raw);
                hash_fields(component, into);
            });
        },
        &kDefaults<Component>,
        [] { return ecs::component_mask<Component>(); },
    };
}

template <class... Component>
consteval auto table_of(TypeList<Component...>) {
    return std::array{component_type<Component>()...};
}
constexpr auto kComponentTypes = table_of(Components{});
static_assert(kComponentTypes.size() <= kMaxComponentTypes);

consteval bool names_are_unique() {
    for (std::size_t i = 0; i < kComponentTypes.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (kComponentTypes[i].name == kComponentTypes[j].name) return false;
    return true;
}
static_assert(names_are_unique());

}  // namespace

std::span<const ComponentType> component_types() { return kComponentTypes; }

std::optional<ComponentIndex> find_component(std::string_view name) {
    const auto found = std::ranges::find(kComponentTypes, name, &ComponentType::name);
    if (found == kComponentTypes.end()) return std::nullopt;
    return static_cast<ComponentIndex>(found - kComponentTypes.begin());
}

ComponentMask components_of(const ecs::Registry& registry, ecs::Entity entity) {
    // By the registry's number of a component: its bit in our order, or none when it is not one of these.
    static const auto kBits = [] {
        std::array<ComponentMask, ecs::kMaxComponentTypes> bits{};
        for (std::size_t i = 0; i < kComponentTypes.size(); ++i)
            bits[static_cast<std::size_t>(std::countr_zero(kComponentTypes[i].mask()))] = ComponentMask{1}
                                                                                          << i;
        return bits;
    }();
    ComponentMask components = 0;
    for (ecs::ComponentMask left = registry.mask(entity); left != 0; left &= left - 1)
        components |= kBits[static_cast<std::size_t>(std::countr_zero(left))];
    return components;
}

void add_components(ecs::Registry& registry, ecs::Entity entity, ComponentMask components) {
    ComponentMask added = 0;
    try {
        for_each_component(components, [&](ComponentIndex index) {
            kComponentTypes[index].add(registry, entity);
            added |= ComponentMask{1} << index;
        });
    } catch (...) {
        remove_components(registry, entity, added);
        throw;
    }
}

std::size_t remove_components(ecs::Registry& registry, ecs::Entity entity, ComponentMask components) {
    std::size_t removed = 0;
    for_each_component(components, [&](ComponentIndex index) {
        removed += kComponentTypes[index].remove(registry, entity) ? 1U : 0U;
    });
    return removed;
}

}  // namespace evertick::world
