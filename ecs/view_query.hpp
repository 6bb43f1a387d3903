#pragma once
// ViewQuery: the questions that a View asks while it walks: which pool to walk, does an entity match, which
// of a batch do, and how long is the run of entities that match and follow one another in all pools alike.
// It owns nothing and changes nothing but holds.
//
// Cost:    O(types) unless said otherwise.
// Threads: as its pools.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "ecs/component_id.hpp"
#include "ecs/entity_pool.hpp"
#include "ecs/pool.hpp"
#include "ecs/slot_scan.hpp"
#include "ecs/sparse_set.hpp"
#include "ecs/view_terms.hpp"

namespace evertick::ecs {

template <class Registry, class Excluded, class... Ts>
class ViewQuery;

template <class Registry, class... Excluded, class... Ts>
class ViewQuery<Registry, Exclude<Excluded...>, Ts...> {
    static constexpr bool kIsConst = std::is_const_v<Registry>;

  public:
    using E = typename Registry::EntityType;
    using Index = SparseSet::Index;
    using Position = SparseSet::Position;
    static constexpr std::size_t kTypes = sizeof...(Ts);
    static constexpr auto kEachType = std::make_index_sequence<kTypes>{};
    static constexpr std::array kIsOptional{ViewTerm<Ts>::kIsOptional...};
    using Lookup = decltype(std::declval<SparseSet>().lookup());
    using Lookups = std::array<Lookup, kTypes>;

    // Of one entity, in the pool of each type; kMark or more in that of an optional one that it has not.
    using Positions = std::array<Position, kTypes>;

    // Slots of the walked pool that are looked up at once. More are faster, up to what the first cache holds:
    // a walk of pools in random orders took 1.15 times as long with 128, 1.2 with 64.
    static constexpr std::size_t kMaxSlots = 256;
    // Of each type's pool, one for each slot.
    using FoundPositions = std::array<std::array<Position, kMaxSlots>, kTypes>;

    // The entities that match among some slots of the walked pool.
    struct Batch {
        std::size_t count = 0;
        std::array<std::uint32_t, kMaxSlots> offsets;  // of the slots
        FoundPositions positions;
    };
    struct Run {
        std::span<const Index> slots;  // as many as were asked for, or to the end of the chunk
        std::size_t size = 0;          // of the run, from the first slot on; 0: that does not match
        std::tuple<Column<Ts>...> columns;
    };

    // In braces, which are evaluated from left to right: a type's number is that of its first use.
    explicit ViewQuery(Registry& registry)
        : entities_(&registry.entities_),
          pools_{pool_of<typename ViewTerm<Ts>::Component>(registry)...},
          sets_(std::apply([](auto*... pools) { return std::array{&pools->set()...}; }, pools_)),
          excluded_{&pool_of<Excluded>(registry)->set()...} {}

    E tenant(Index index) const { return entities_->tenant(index); }
    const SparseSet& set(std::size_t type) const { return *sets_[type]; }

    // Which type's pool to walk: the smallest, of equals the first; kTypes when there is nothing to walk.
    std::size_t smallest() const {
        std::size_t walked = kTypes;
        for (std::size_t type = 0; type < kTypes; ++type)
            if (!kIsOptional[type] && (walked == kTypes || set(type).size() < set(walked).size()))
                walked = type;
        return set(walked).size() > 0 ? walked : kTypes;
    }
    // Keeps everything in its place until the result is destroyed. A const registry needs nothing of the
    // kind.
    auto hold() const {
        if constexpr (kIsConst)
            return Holds<0>({});
        else
            return std::apply([](auto*... pools) { return Holds<kTypes>({pools...}); }, pools_);
    }
    // Differs after every change that might alter which entities match.
    unsigned long long changes() const {
        if constexpr (kIsConst)
            return 0;
        else
            return sum_of_changes(sets_) + sum_of_changes(excluded_);
    }

    // Whether the entity at that position of the walked pool matches. Finds its positions in all pools.
    bool locate(std::size_t walked, std::size_t at, Positions& positions) const {
        const Index index = set(walked).slots(at, 1).front();
        positions[walked] = static_cast<Position>(at);
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return ((walked == I && locate_others<I>(lookups(), index, positions)) || ...);
        }(kEachType);
    }
    // The same for a slot of the walked pool, but not its position there.
    template <std::size_t Walked>
    bool locate_others(const Lookups& lookups, Index index, Positions& positions) const {
        if (kOnlyOneIsRequired && index >= SparseSet::kMark) return false;
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return ((I == Walked || find<I>(lookups, index, positions[I])) && ...);
        }(kEachType) &&
               has_none(index, excluded());
    }
    // Finds slots of the walked pool in the others, and writes nothing for that one.
    // Returns whether all of them match.
    // requires: slots.size() <= kMaxSlots
    // cost: O(slots x types), without a branch, so that the loads of many are under way at once
    template <std::size_t Walked>
    bool look_up(std::span<const Index> slots, FoundPositions& found) const {
        const Lookups lookup = lookups();
        std::uint32_t marks = 0;
        for (std::size_t i = 0; i < slots.size(); ++i) {
            if constexpr (kOnlyOneIsRequired) marks |= slots[i];
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                ((I != Walked ? void(marks |= look_up_one<I>(lookup, slots[i], found[I][i])) : void()), ...);
            }(kEachType);
        }
        return marks < SparseSet::kMark && excluded() == 0;
    }
    // True until the next of changes().
    Lookups lookups() const {
        return std::apply([](auto*... set) { return Lookups{set->lookup()...}; }, sets_);
    }
    // What the callback gets of a type for an entity at that position.
    template <std::size_t I>
    decltype(auto) value(Position position) const {
        if constexpr (!Term<I>::kIsOptional)
            return static_cast<Value<I>>(pool<I>()[position]);
        else
            return position < SparseSet::kMark ? static_cast<Value<I>>(&pool<I>()[position]) : nullptr;
    }

    // The run that begins at that slot of the walked pool, of at most `count`; none if it has less than
    // `least`, unless there are no more slots.
    // cost: O(size x types), with comparisons of 16 ids at a time; no lookups but those for the first
    Run run_at(std::size_t walked, std::size_t at, std::size_t count, std::size_t least) const {
        Run run;
        run.slots = set(walked).slots(at, room(walked, at, count));
        Positions positions;
        if (!locate(walked, at, positions)) return run;
        run.size = run_size(walked, run.slots, positions, std::min(least, run.slots.size()));
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            ((std::get<I>(run.columns) = column<I>(positions[I])), ...);
        }(kEachType);
        return run;
    }
    // What lies from that position on, to the end of its chunk.
    template <std::size_t I>
    auto column(Position position) const {
        std::tuple_element_t<I, std::tuple<Column<Ts>...>> column;
        column.is_there = position < SparseSet::kMark;
        if (column.is_there) column.first = {&pool<I>()[position]};
        return column;
    }

    // Finds out which of the slots, of which the first is at that position of the walked pool, match.
    // requires: slots.size() <= kMaxSlots
    // cost: O(slots x types), without a branch for each
    Batch batch_at(std::size_t walked, std::size_t at, std::span<const Index> slots) const {
        Batch batch;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            ((walked == I ? choose<I>(at, slots, batch) : void()), ...);
        }(kEachType);
        if (const ComponentMask unwanted = excluded(); unwanted != 0) leave_out(unwanted, slots, batch);
        return batch;
    }

  private:
    template <std::size_t I>
    using Term = ViewTerm<std::tuple_element_t<I, std::tuple<Ts...>>>;
    template <std::size_t I>
    using Value = typename Term<I>::Value;

    // A pool that is not there yet is made, so that the view sees what enters it; a const registry has an
    // empty one.
    template <class T>
    static auto pool_of(Registry& registry) {
        using Component = std::remove_const_t<T>;
        if constexpr (kIsConst) {
            static const Pool<Component> no_pool;
            const Pool<Component>* const pool = registry.template find_pool<Component>();
            return pool != nullptr ? pool : &no_pool;
        } else {
            return &registry.template made_pool<Component>();
        }
    }
    template <std::size_t I>
    auto& pool() const {
        return *std::get<I>(pools_);
    }

    template <std::size_t N>
    static unsigned long long sum_of_changes(const std::array<const SparseSet*, N>& sets) {
        return std::apply([](auto*... set) { return (0ULL + ... + set->changes()); }, sets);
    }

    // If there is another, then a slot with a mark is not found in that one.
    static constexpr bool kOnlyOneIsRequired = (0 + ... + (ViewTerm<Ts>::kIsOptional ? 0 : 1)) == 1;

    template <std::size_t I>
    static bool find(const Lookups& lookups, Index index, Position& position) {
        position = lookups[I].find(index);
        return Term<I>::kIsOptional || position < SparseSet::kMark;
    }

    // Returns the position, or 0 for an optional type: a mark in it says that the entity does not match.
    template <std::size_t I>
    static Position look_up_one(const Lookups& lookups, Index index, Position& position) {
        position = lookups[I].find(index);
        return Term<I>::kIsOptional ? 0 : position;
    }

    // The excluded types, if anybody has them at all.
    ComponentMask excluded() const {
        return [this]<std::size_t... I>(std::index_sequence<I...>) {
            return (ComponentMask{0} | ... | mask_unless_empty<Excluded>(*excluded_[I]));
        }(std::index_sequence_for<Excluded...>{});
    }
    // The optional types that an entity has not, if anybody has them at all.
    ComponentMask missing(const Positions& positions) const {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return (ComponentMask{0} | ... |
                    (positions[I] < SparseSet::kMark
                         ? 0
                         : mask_unless_empty<typename Term<I>::Component>(set(I))));
        }(kEachType);
    }
    template <class T>
    static ComponentMask mask_unless_empty(const SparseSet& set) {
        return set.size() > 0 ? component_mask<T>() : 0;
    }
    // requires: the index is that of an entity in one of the pools
    bool has_none(Index index, ComponentMask unwanted) const {
        return unwanted == 0 || (entities_->mask(index) & unwanted) == 0;
    }

    static constexpr std::size_t kRunStep = 128;

    // At most `count` slots of that pool, no further than its chunk.
    std::size_t room(std::size_t type, std::size_t position, std::size_t count) const {
        constexpr std::array kStretches{
            Pool<std::remove_const_t<typename ViewTerm<Ts>::Component>>::kStretch...};
        const std::size_t to_the_end_of_its_chunk = kStretches[type] - position % kStretches[type];
        return std::min({count, to_the_end_of_its_chunk, set(type).slot_count() - position});
    }
    // Looks at all conditions for a few slots at a time, so that none is looked at far beyond where another
    // one fails.
    std::size_t run_size(std::size_t walked, std::span<const Index> slots, const Positions& positions,
                         std::size_t least) const {
        std::size_t most = slots.size();
        for (std::size_t type = 0; type < kTypes; ++type) {
            if (positions[type] >= SparseSet::kMark) continue;
            most = room(type, positions[type], most);
            // Most runs that are too short are found out by a single look.
            if (most < least || set(type).slots(positions[type] + least - 1, 1)[0] != slots[least - 1])
                return 0;
        }
        const ComponentMask unwanted = excluded() | missing(positions);
        if (kTypes == 1 && unwanted == 0 && set(walked).is_packed()) return most;
        std::size_t size = 0;
        for (bool goes_on = true; goes_on && size < most;) {
            const std::span some = slots.subspan(size, std::min(kRunStep, most - size));
            const std::size_t more = count_matching(walked, some, size, positions, unwanted);
            size += more;
            goes_on = more == some.size();
        }
        return size < least ? 0 : size;
    }
    std::size_t count_matching(std::size_t walked, std::span<const Index> slots, std::size_t offset,
                               const Positions& positions, ComponentMask unwanted) const {
        std::size_t count = set(walked).is_packed() ? slots.size() : count_unmarked(slots);
        for (std::size_t type = 0; type < kTypes; ++type)
            if (type != walked && positions[type] < SparseSet::kMark)
                count = count_equal(slots, set(type).slots(positions[type] + offset, count));
        if (unwanted == 0) return count;
        const auto is_wanted = [&](Index index) { return has_none(index, unwanted); };
        const auto matching = slots.first(count);
        return static_cast<std::size_t>(std::ranges::find_if_not(matching, is_wanted) - matching.begin());
    }
    // Writes every slot to the end of the batch, and moves the end only if the slot matches: that is when no
    // mark is in its index nor in any of its positions.
    template <std::size_t Walked>
    void choose(std::size_t at, std::span<const Index> slots, Batch& batch) const {
        const Lookups lookup = lookups();
        std::uint32_t count = 0;
        for (std::uint32_t i = 0; i < slots.size(); ++i) {
            std::uint32_t marks = slots[i];
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                ((batch.positions[I][count] =
                      I == Walked ? static_cast<Position>(at) + i : lookup[I].find(slots[i]),
                  marks |= Term<I>::kIsOptional ? 0 : batch.positions[I][count]),
                 ...);
            }(kEachType);
            batch.offsets[count] = i;
            count += marks < SparseSet::kMark ? 1U : 0U;
        }
        batch.count = count;
    }
    void leave_out(ComponentMask unwanted, std::span<const Index> slots, Batch& batch) const {
        std::size_t count = 0;
        for (std::size_t i = 0; i < batch.count; ++i) {
            for (auto& positions : batch.positions) positions[count] = positions[i];
            batch.offsets[count] = batch.offsets[i];
            count += has_none(slots[batch.offsets[i]], unwanted) ? 1U : 0U;
        }
        batch.count = count;
    }

    const EntityPool<E>* entities_;
    std::tuple<decltype(pool_of<typename ViewTerm<Ts>::Component>(std::declval<Registry&>()))...> pools_;
    std::array<const SparseSet*, kTypes> sets_;
    std::array<const SparseSet*, sizeof...(Excluded)> excluded_;
};

}  // namespace evertick::ecs
