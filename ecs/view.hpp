#pragma once
// View: all entities that have every one of Ts and none of the excluded types. Made by registry.view<...>(),
// used on the spot; it owns nothing.
//
//     view.each([](Position& position, const Velocity& velocity) {...});
//     view.each([](Entity entity, Position& position, const Velocity& velocity) {...});
//     for (auto [entity, position, velocity] : view) ...
//
// It walks the pool with the fewest entities (of equals, the type named first) in that pool's order, and
// looks each entity up in the others.
//
// While one iterates a view of a non-const registry, anything may be added, removed or destroyed:
//   - every entity that matches when its turn comes is visited exactly once; one destroyed, doomed or
//   deprived
//     of a component before its turn is not
//   - entities that enter the walked pool meanwhile are not visited, not even those that left it and came
//   back
//   - no component of the types it names moves or is destructed; references stay good until the end of the
//     outermost iteration, also to removed ones
// A const registry must not change while one of its views is iterated.
//
// Cost: O(smallest pool x types); allocates nothing.

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

#include "ecs/entity_pool.hpp"
#include "ecs/pool.hpp"
#include "ecs/sparse_set.hpp"

namespace evertick::ecs {

template <class... Ts>
struct Exclude {};

// Names what entities of a view must not have: registry.view<Position>(exclude<Frozen, Hidden>).
template <class... Ts>
inline constexpr Exclude<Ts...> exclude{};

// Keeps the pools of a view as they are for the time of an iteration; see AnyPool::hold.
template <std::size_t N>
class Holds {
  public:
    explicit Holds(const std::array<AnyPool*, N>& pools) : pools_(pools) {
        for (AnyPool* pool : pools_)
            if (pool != nullptr) pool->hold();
    }
    Holds(Holds&& other) noexcept : pools_(std::exchange(other.pools_, {})) {}
    Holds& operator=(Holds&& other) noexcept {
        std::swap(pools_, other.pools_);
        return *this;
    }
    ~Holds() {
        for (AnyPool* pool : pools_)
            if (pool != nullptr) pool->release();
    }

  private:
    std::array<AnyPool*, N> pools_;
};

template <class Registry, class Excluded, class... Ts>
class View;

template <class Registry, class... Excluded, class... Ts>
class View<Registry, Exclude<Excluded...>, Ts...> {
    static_assert(sizeof...(Ts) > 0, "a view names at least one component that its entities have");

    using E = typename Registry::EntityType;
    using Index = SparseSet::Index;
    using Position = SparseSet::Position;
    static constexpr std::size_t kTypes = sizeof...(Ts);
    static constexpr auto kEachType = std::make_index_sequence<kTypes>{};

  public:
    class Iterator;

    explicit View(Registry& registry)
        : entities_(&registry.entities_),
          pools_(pool_of<Ts>(registry)...),
          excluded_{pool_of<Excluded>(registry)...} {}

    // Calls visit(T&...), or visit(E, T&...) if it takes that, for each entity.
    template <class Visit>
    void each(Visit visit) const {
        const auto holds = hold();
        const std::size_t walked = smallest();
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            ((walked == I ? each_of<I>(visit) : void()), ...);
        }(kEachType);
    }

    // Input iterators over std::tuple<E, T&...>.
    Iterator begin() const { return Iterator(*this); }
    std::default_sentinel_t end() const { return {}; }

    // An upper bound of the number of entities. cost: O(types)
    std::size_t size_hint() const {
        const std::size_t walked = smallest();
        return walked < kTypes ? sizes()[walked] : 0;
    }

  private:
    // A pool that is not there yet is made, so that the view sees what enters it; a const registry has
    // nullptr.
    template <class T>
    static auto pool_of(Registry& registry) {
        if constexpr (std::is_const_v<Registry>)
            return registry.template find_pool<std::remove_const_t<T>>();
        else
            return &registry.template made_pool<std::remove_const_t<T>>();
    }

    using Positions = std::array<Position, kTypes>;  // of one entity, in the pool of each type

    template <std::size_t I>
    auto& pool() const {
        return *std::get<I>(pools_);
    }

    std::array<std::size_t, kTypes> sizes() const {
        return std::apply(
            [](auto*... pools) {
                return std::array{(pools != nullptr ? pools->set().size() : std::size_t{0})...};
            },
            pools_);
    }
    // Which type's pool to walk; kTypes when there is nothing to walk.
    std::size_t smallest() const {
        const auto all = sizes();
        const auto least = std::ranges::min_element(all);
        return *least > 0 ? static_cast<std::size_t>(least - all.begin()) : kTypes;
    }
    const SparseSet& set(std::size_t type) const {
        return *std::apply([](auto*... pools) { return std::array{&pools->set()...}; }, pools_)[type];
    }

    auto hold() const {
        if constexpr (std::is_const_v<Registry>)
            return Holds<0>({});
        else
            return std::apply([](auto*... pools) { return Holds<kTypes>({pools...}); }, pools_);
    }

    // Whether the entity matches in all types but Known, where it is known to. Finds its positions there.
    template <std::size_t Known = kTypes>
    bool locate(Index index, Positions& positions) const {
        const bool has_all = [&]<std::size_t... I>(std::index_sequence<I...>) {
            return ((I == Known || (positions[I] = pool<I>().set().find(index)) < SparseSet::kMark) && ...);
        }(kEachType);
        return has_all && std::ranges::none_of(excluded_, [index](const AnyPool* excluded) {
                   return excluded != nullptr && excluded->set().contains(index);
               });
    }

    // each() over the pool of type Walked, a stretch at a time that is contiguous in dense and components.
    template <std::size_t Walked, class Visit>
    void each_of(Visit& visit) const {
        auto& walked = pool<Walked>();
        constexpr std::size_t kStretch = std::remove_cvref_t<decltype(walked)>::kStretch;
        const std::size_t end = walked.set().slot_count();
        for (std::size_t first = 0; first < end; first += kStretch) {
            const auto slots = walked.set().slots(first, std::min(kStretch, end - first));
            const auto components = walked.stretch(first);
            for (std::size_t i = 0; i < slots.size(); ++i) {
                Positions positions;
                if (slots[i] >= SparseSet::kMark || !locate<Walked>(slots[i], positions)) continue;
                [&]<std::size_t... I>(std::index_sequence<I...>) {
                    call(visit, slots[i], component<I, Walked>(components, i, positions)...);
                }(kEachType);
            }
        }
    }
    template <std::size_t I, std::size_t Walked>
    auto& component(auto components, std::size_t i, const Positions& positions) const {
        if constexpr (I == Walked)
            return components[i];
        else
            return pool<I>()[positions[I]];
    }
    template <class Visit>
    void call(Visit& visit, Index index, Ts&... components) const {
        if constexpr (std::is_invocable_v<Visit&, E, Ts&...>)
            visit(entities_->tenant(index), components...);
        else
            visit(components...);
    }

    const EntityPool<E>* entities_;
    std::tuple<decltype(pool_of<Ts>(std::declval<Registry&>()))...> pools_;
    std::array<const AnyPool*, sizeof...(Excluded)> excluded_;
};

// Stands at one matching entity. It holds the pools, so it must not outlive the registry.
template <class Registry, class... Excluded, class... Ts>
class View<Registry, Exclude<Excluded...>, Ts...>::Iterator {
  public:
    using iterator_concept = std::input_iterator_tag;
    using value_type = std::tuple<E, Ts&...>;
    using difference_type = std::ptrdiff_t;

    explicit Iterator(const View& view) : view_(view), holds_(view.hold()) {
        const std::size_t walked = view_.smallest();
        if (walked == kTypes) return;
        walked_ = &view_.set(walked);
        end_ = walked_->slot_count();
        find_match();
    }

    value_type operator*() const {
        return [this]<std::size_t... I>(std::index_sequence<I...>) {
            return value_type(view_.entities_->tenant(index()), view_.template pool<I>()[positions_[I]]...);
        }(kEachType);
    }
    Iterator& operator++() {
        ++position_;
        find_match();
        return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& at, std::default_sentinel_t) { return at.position_ == at.end_; }

  private:
    Index index() const { return walked_->slots(position_, 1).front(); }
    void find_match() {
        for (; position_ < end_; ++position_)
            if (index() < SparseSet::kMark && view_.locate(index(), positions_)) return;
    }

    View view_;
    decltype(std::declval<View>().hold()) holds_;
    const SparseSet* walked_ = nullptr;
    std::size_t position_ = 0;
    std::size_t end_ = 0;
    Positions positions_{};
};

}  // namespace evertick::ecs
