#include <algorithm>
#include <array>
#include <type_traits>

#include "server/world/component_type.hpp"
#include "server/world/components.hpp"

namespace evertick::world {
namespace {

template <class Component>
inline constexpr Component kDefaults{};

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

}  // namespace evertick::world
