#pragma once
// Comparing a registry with the oracle that tells what it should hold.

#include <gtest/gtest.h>

#include <span>
#include <type_traits>
#include <vector>

#include "ecs/registry.hpp"
#include "tests/ecs/oracle.hpp"
#include "tests/ecs/printing.hpp"

namespace evertick::test {

// Calls f.template operator()<T>() for the type of that number.
template <class F>
decltype(auto) with_type(int type, F f) {
    switch (type) {
        case 0: return f.template operator()<Part<0>>();
        case 1: return f.template operator()<Part<1>>();
        case 2: return f.template operator()<Part<2>>();
        case 3: return f.template operator()<Part<3>>();
        default: return f.template operator()<Flag>();
    }
}
template <class T>
int number_in(const T& component) {
    if constexpr (std::is_same_v<T, Flag>)
        return 0;
    else
        return component.value;
}

// The entities that a view or a group calls for, in order.
template <class E, class... Ts>
std::vector<E> visited(const auto& view) {
    std::vector<E> entities;
    view.each([&](E entity, Ts&...) { entities.push_back(entity); });
    return entities;
}

// Expects that find.template operator()<T>() finds exactly these components, for each type.
template <class E>
void compare_components(E entity, const typename Oracle<E>::Components& expected, auto find) {
    for (int type = 0; type < kTypes; ++type)
        with_type(type, [&]<class T>() {
            const T* const found = find.template operator()<T>();
            ASSERT_EQ(found != nullptr, expected.contains(type)) << to_text(entity) << " type " << type;
            ASSERT_TRUE(found == nullptr || number_in(*found) == expected.at(type))
                << to_text(entity) << " type " << type << ": " << number_in(*found) << " instead of "
                << expected.at(type);
        });
}

template <class E>
void compare_entities(const ecs::BasicRegistry<E>& registry, const Oracle<E>& oracle) {
    ASSERT_EQ(registry.alive_count(), oracle.alive.size());
    for (const auto& [entity, components] : oracle.alive) {
        ASSERT_TRUE(registry.valid(entity)) << to_text(entity);
        compare_components(entity, components,
                           [&]<class T>() { return registry.template try_get<T>(entity); });
    }
    ASSERT_EQ(registry.pending().size(), oracle.pending.size());
    for (std::size_t i = 0; i < oracle.pending.size(); ++i) {
        const auto& [entity, components] = oracle.pending[i];
        ASSERT_EQ(registry.pending()[i], entity);
        ASSERT_FALSE(registry.valid(entity)) << to_text(entity);
        compare_components(entity, components,
                           [&]<class T>() { return registry.template try_get_pending<T>(entity); });
    }
    for (const E entity : oracle.dead) ASSERT_FALSE(registry.valid(entity)) << to_text(entity) << " revived";
}

template <class E>
void compare_views(ecs::BasicRegistry<E>& registry, const Oracle<E>& oracle) {
    for (int type = 0; type < kTypes; ++type)
        with_type(type, [&]<class T>() {
            ASSERT_EQ((visited<E, T>(registry.template view<T>())), oracle.walk({type})) << "type " << type;
            ASSERT_EQ(registry.template count<T>(), oracle.count(type));
        });
    const auto pair = registry.template view<Part<0>, Part<1>>();
    ASSERT_EQ((visited<E, Part<0>, Part<1>>(pair)), oracle.walk({0, 1}));
    const auto three = registry.template view<Part<3>, Flag, Part<2>>();
    ASSERT_EQ((visited<E, Part<3>, Flag, Part<2>>(three)), oracle.walk({3, kFlag, 2}));
    const auto without = registry.template view<Part<0>>(ecs::exclude<Part<2>, Flag>);
    ASSERT_EQ((visited<E, Part<0>>(without)), oracle.walk({0}, {2, kFlag}));
}

template <class E>
void compare_groups(ecs::BasicRegistry<E>& registry, const Oracle<E>& oracle) {
    for (const typename Oracle<E>::Group& group : oracle.groups) {
        const std::vector<E> members = oracle.members(group);
        if (group.types.size() == 3) {
            const auto three = registry.template group<Part<2>, Part<3>, Flag>();
            ASSERT_EQ((visited<E, Part<2>, Part<3>, Flag>(three)), members);
            continue;
        }
        const auto pair = registry.template group<Part<0>, Part<1>>();
        ASSERT_EQ((visited<E, Part<0>, Part<1>>(pair)), members);
        std::size_t in_chunks = 0;
        pair.chunks([&](std::span<Part<0>> zeros, std::span<Part<1>> ones) {
            ASSERT_EQ(zeros.size(), ones.size());
            in_chunks += zeros.size();
        });
        ASSERT_EQ(in_chunks, members.size());
    }
}

template <class E>
void compare(ecs::BasicRegistry<E>& registry, const Oracle<E>& oracle) {
    registry.check_invariants();
    compare_entities(registry, oracle);
    std::size_t components = 0;
    for (int type = 0; type < kFlag; ++type)
        components += oracle.order[static_cast<std::size_t>(type)].size();
    ASSERT_EQ(Tracked::counts.live(), static_cast<int>(components)) << "constructed, less destructed";
    compare_views(registry, oracle);
    compare_groups(registry, oracle);
}

}  // namespace evertick::test
