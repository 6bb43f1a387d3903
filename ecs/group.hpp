#pragma once
// Group: all entities that have every one of Ts, kept side by side in the pools of these types, so that
// walking them is one plain loop over arrays. Made by registry.group<...>(), used on the spot; it owns
// nothing. See ecs/owning_group.hpp for how the order is kept.
//
//     registry.group<Position, const Velocity>().each([](Position& position, const Velocity& velocity)
//     {...}); registry.group<Position, const Velocity>().chunks(
//         [](std::span<Position> positions, std::span<const Velocity> velocities) {...});
//
// While one walks it, anything may be added, removed or destroyed:
//   - a member is visited exactly once, unless it left the group before its turn: by losing a component,
//     dying, or being doomed. One that left and came back is not visited
//   - who comes to match meanwhile joins at the end of the outermost walk, and is not visited
//   - no component of the group's types moves or is destructed until then; references stay good
//
// Cost: O(members); allocates nothing.

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "ecs/entity_pool.hpp"
#include "ecs/owning_group.hpp"
#include "ecs/pool.hpp"
#include "ecs/sparse_set.hpp"
#include "ecs/view_terms.hpp"

namespace evertick::ecs {

template <class E, class... Ts>
class Group {
    template <class T>
    using PoolOf = Pool<std::remove_const_t<T>>;

  public:
    Group(const OwningGroup& group, const EntityPool<E>& entities, PoolOf<Ts>&... pools)
        : group_(&group), entities_(&entities), pools_(&pools...) {}

    std::size_t size() const { return group_->size(); }
    bool empty() const { return size() == 0; }

    // Calls visit(T&...), or visit(E, T&...) if it takes that, for each member.
    template <class Visit>
    void each(Visit visit) const {
        walk([&](std::size_t first, std::size_t count, auto... components) {
            std::size_t i = 0;
            for (; i < count && !group_->has_gaps(); ++i) call(visit, first + i, components[i]...);
            for (; i < count; ++i)
                if (is_member(first + i)) call(visit, first + i, components[i]...);
        });
    }

    // Calls visit(std::span<T>...) for one stretch of members after the other; the spans are equally long.
    template <class Visit>
    void chunks(Visit visit) const {
        static_assert((!kIsTag<std::remove_const_t<Ts>> && ...), "tags have no storage: use each()");
        walk([&](std::size_t first, std::size_t count, auto... components) {
            for (std::size_t i = 0; i < count;) {
                const std::size_t end = end_of_run(first, i, count);
                if (end > i) visit(std::span<Ts>(components + i, end - i)...);
                i = end + 1;
            }
        });
    }

  private:
    // A stretch is contiguous in every pool.
    static constexpr std::size_t kStretch = std::min({PoolOf<Ts>::kStretch...});

    // Calls visit(first, count, arrays...) for each stretch, under a hold.
    template <class Visit>
    void walk(Visit visit) const {
        const Holds<1> hold({std::get<0>(pools_)});
        const std::size_t end = group_->slot_count();
        for (std::size_t first = 0; first < end; first += kStretch)
            std::apply(
                [&](auto*... pools) {
                    visit(first, std::min(kStretch, end - first), array<Ts>(*pools, first)...);
                },
                pools_);
    }
    template <class T>
    static auto array(PoolOf<T>& pool, std::size_t first) {
        if constexpr (std::is_const_v<T>)
            return std::as_const(pool).stretch(first);
        else
            return pool.stretch(first);
    }

    bool is_member(std::size_t position) const {
        return group_->is_member(static_cast<SparseSet::Position>(position));
    }
    // How far members follow each other from first + i on, within count.
    std::size_t end_of_run(std::size_t first, std::size_t i, std::size_t count) const {
        if (!group_->has_gaps()) return count;
        while (i < count && is_member(first + i)) ++i;
        return i;
    }
    template <class Visit>
    void call(Visit& visit, std::size_t position, Ts&... components) const {
        if constexpr (std::is_invocable_v<Visit&, E, Ts&...>)
            visit(entities_->tenant(std::get<0>(pools_)->set().slots(position, 1).front()), components...);
        else
            visit(components...);
    }

    const OwningGroup* group_;
    const EntityPool<E>* entities_;
    std::tuple<PoolOf<Ts>*...> pools_;
};

}  // namespace evertick::ecs
