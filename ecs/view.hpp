#pragma once
// View: all entities that have every one of Ts and none of the excluded types. Made by registry.view<...>(),
// used on the spot; it owns nothing.
//
//     view.each([](Position& position, const Velocity& velocity) {...});
//     view.each([](Entity entity, Position& position, const Velocity& velocity) {...});
//     for (auto [entity, position, velocity] : view) ...
//     view.chunks([](std::span<Position> positions, std::span<const Velocity> velocities) {...});
//
// It walks the pool with the fewest entities (of equals, the type named first) in that pool's order, and
// looks each entity up in the others. A type named as Optional<T> is handed out as T*, nullptr where there is
// none, and has no say in which entities these are.
//
// While one iterates a view of a non-const registry, anything may be added, removed or destroyed:
//   - every entity that matches when its turn comes is visited exactly once; one destroyed, doomed or
//     deprived of a component before its turn is not. With chunks() it is the turn of all in the spans at
//     once
//   - entities that enter the walked pool meanwhile are not visited, not even those that left it and came
//     back
//   - no component of the types it names moves or is destructed; references stay good until the end of the
//     outermost iteration, also to removed ones
// A const registry must not change while one of its views is iterated.
//
// Cost: O(smallest pool x types); allocates nothing. each() and chunks() are fastest where the pools have
//       their entities in the same order: stretches of equal ids are found by comparing them 16 at a time and
//       walked as plain arrays. Elsewhere a batch of entities is looked up at once, without a branch for
//       each.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "ecs/sparse_set.hpp"
#include "ecs/view_query.hpp"
#include "ecs/view_terms.hpp"

namespace evertick::ecs {

template <class Registry, class Excluded, class... Ts>
class View {
    static_assert((!ViewTerm<Ts>::kIsOptional || ...), "a view names a type that its entities must have");

    using Query = ViewQuery<Registry, Excluded, Ts...>;
    using E = typename Query::E;
    using Index = typename Query::Index;

  public:
    class Iterator;

    explicit View(Registry& registry) : query_(registry) {}

    // Calls visit(T&...), or visit(E, T&...) if it takes that, for each entity.
    template <class Visit>
    void each(Visit visit) const {
        const auto holds = query_.hold();
        const std::size_t walked = query_.smallest();
        const std::size_t end = end_of(walked);
        std::size_t reach = kFarthest;
        bool is_mixed = false;
        for (std::size_t at = 0; at < end;) {
            const auto run = query_.run_at(walked, at, std::min(reach, end - at), kShortRun);
            const Slots slots = run.slots.first(run.size > 0 ? run.size : std::min(kSome, run.slots.size()));
            const Passed passed = run.size > 0 ? each_of_run(run, visit)
                                  : is_mixed   ? each_of_batch(walked, at, slots, visit)
                                               : each_of_some(walked, at, slots, visit);
            is_mixed = is_mixture(passed);
            // Who disturbs once may do so at every visit, and what was looked up ahead is lost each time.
            reach = passed.slots < slots.size() ? kNearest : std::min(2 * reach, kFarthest);
            at += passed.slots;
        }
    }

    // Calls visit(std::span<T>...) for runs of entities whose components lie side by side in all pools, for
    // systems that vectorise. Tags have no span; that of an optional type is empty for a run without.
    template <class Visit>
    void chunks(Visit visit) const {
        const auto holds = query_.hold();
        const std::size_t walked = query_.smallest();
        const std::size_t end = end_of(walked);
        for (std::size_t at = 0; at < end;) {
            const auto run = query_.run_at(walked, at, end - at, 1);
            if (run.size > 0) std::apply(visit, spans_of(run));
            at += std::max(run.size, std::size_t{1});
        }
    }

    // Input iterators over std::tuple<E, T&...>.
    Iterator begin() const { return Iterator(query_); }
    std::default_sentinel_t end() const { return {}; }

    // An upper bound of the number of entities. cost: O(types)
    std::size_t size_hint() const {
        const std::size_t walked = query_.smallest();
        return walked < Query::kTypes ? query_.set(walked).size() : 0;
    }

  private:
    using Slots = std::span<const Index>;
    // What a step of each() has done.
    struct Passed {
        std::size_t slots = 0;
        std::size_t visited = 0;  // of them: those that matched
    };

    static constexpr std::size_t kShortRun = 16;  // shorter ones are not worth their lookups
    static constexpr std::size_t kSome = Query::kMaxSlots;
    static constexpr std::size_t kNearest = 8;
    static constexpr std::size_t kFarthest = std::size_t{1} << 20;

    // Whether so many match and so many do not that branching on it would be guesswork.
    static bool is_mixture(const Passed& passed) {
        return passed.visited * 8 > passed.slots && passed.visited * 8 < passed.slots * 7;
    }

    // Later slots belong to entities that enter while the view is walked.
    std::size_t end_of(std::size_t walked) const {
        return walked < Query::kTypes ? query_.set(walked).slot_count() : 0;
    }

    // Each of these visits the matching ones of some slots until one of them changes which do.

    template <class Visit>
    Passed each_of_run(const typename Query::Run& run, Visit& visit) const {
        return std::apply(
            [&](const auto... columns) {
                const auto before = query_.changes();
                for (std::size_t i = 0; i < run.size; ++i) {
                    call(visit, run.slots[i], columns[i]...);
                    if (query_.changes() != before) return Passed{i + 1, i + 1};
                }
                return Passed{run.size, run.size};
            },
            run.columns);
    }

    // Selects first, without a branch for each.
    template <class Visit>
    Passed each_of_batch(std::size_t walked, std::size_t at, Slots slots, Visit& visit) const {
        const auto batch = query_.batch_at(walked, at, slots);
        const auto before = query_.changes();
        for (std::size_t i = 0; i < batch.count; ++i) {
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                call(visit, slots[batch.offsets[i]], query_.template value<I>(batch.positions[I][i])...);
            }(Query::kEachType);
            if (query_.changes() != before) return {batch.offsets[i] + std::size_t{1}, i + 1};
        }
        return {slots.size(), batch.count};
    }

    // Asks one after the other: best where nearly all match, or nearly none.
    template <class Visit>
    Passed each_of_some(std::size_t walked, std::size_t at, Slots slots, Visit& visit) const {
        Passed passed;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            ((walked == I ? void(passed = each_of_pool<I>(at, slots, visit)) : void()), ...);
        }(Query::kEachType);
        return passed;
    }
    template <std::size_t Walked, class Visit>
    Passed each_of_pool(std::size_t at, Slots slots, Visit& visit) const {
        typename Query::FoundPositions found;
        if (query_.template look_up<Walked>(slots, found))
            return each_of_all<Walked>(at, slots, found, visit);
        const auto column = query_.template column<Walked>(static_cast<typename Query::Position>(at));
        const auto before = query_.changes();
        const auto lookups = query_.lookups();
        std::size_t visited = 0;
        for (std::size_t i = 0; i < slots.size(); ++i) {
            typename Query::Positions positions;
            if (!query_.template locate_others<Walked>(lookups, slots[i], positions)) continue;
            ++visited;
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                call(visit, slots[i], value_of<I, Walked>(column, i, positions[I])...);
            }(Query::kEachType);
            if (query_.changes() != before) return {i + 1, visited};
        }
        return {slots.size(), visited};
    }
    // requires: all match
    template <std::size_t Walked, class Visit>
    Passed each_of_all(std::size_t at, Slots slots, const typename Query::FoundPositions& found,
                       Visit& visit) const {
        const auto column = query_.template column<Walked>(static_cast<typename Query::Position>(at));
        const auto before = query_.changes();
        for (std::size_t i = 0; i < slots.size(); ++i) {
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                call(visit, slots[i], value_of<I, Walked>(column, i, found[I][i])...);
            }(Query::kEachType);
            if (query_.changes() != before) return {i + 1, i + 1};
        }
        return {slots.size(), slots.size()};
    }
    template <std::size_t I, std::size_t Walked>
    decltype(auto) value_of(const auto& walked, std::size_t i, typename Query::Position position) const {
        if constexpr (I == Walked)
            return walked[i];
        else
            return query_.template value<I>(position);
    }

    template <class Visit>
    void call(Visit& visit, Index index, typename ViewTerm<Ts>::Value... values) const {
        if constexpr (std::is_invocable_v<Visit&, E, typename ViewTerm<Ts>::Value...>)
            visit(query_.tenant(index), values...);
        else
            visit(values...);
    }
    static auto spans_of(const typename Query::Run& run) {
        return std::apply([&](const auto&... columns) { return std::tuple_cat(columns.spans(run.size)...); },
                          run.columns);
    }

    Query query_;
};

// Stands at one matching entity. It holds the pools, so it must not outlive the registry.
template <class Registry, class Excluded, class... Ts>
class View<Registry, Excluded, Ts...>::Iterator {
  public:
    using iterator_concept = std::input_iterator_tag;
    using value_type = std::tuple<E, typename ViewTerm<Ts>::Value...>;
    using difference_type = std::ptrdiff_t;

    explicit Iterator(const Query& query)
        : query_(query),
          holds_(query.hold()),
          walked_(query.smallest()),
          end_(walked_ < Query::kTypes ? query.set(walked_).slot_count() : 0) {
        find_match();
    }

    value_type operator*() const {
        return [this]<std::size_t... I>(std::index_sequence<I...>) {
            const Index index = query_.set(walked_).slots(position_, 1).front();
            return value_type(query_.tenant(index), query_.template value<I>(positions_[I])...);
        }(Query::kEachType);
    }
    Iterator& operator++() {
        ++position_;
        find_match();
        return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& at, std::default_sentinel_t) { return at.position_ == at.end_; }

  private:
    void find_match() {
        while (position_ < end_ && !query_.locate(walked_, position_, positions_)) ++position_;
    }

    Query query_;
    decltype(std::declval<Query>().hold()) holds_;
    std::size_t walked_;
    std::size_t end_;
    std::size_t position_ = 0;
    typename Query::Positions positions_{};
};

}  // namespace evertick::ecs
