#pragma once
// BasicRegistry: the entities, the pools of their components, and everything one may do with them. A handle
// that is stale is answered with false, nullptr or null; it never reaches another entity's data.
//
//     Registry registry;
//     const Entity wolf = registry.create();
//     registry.emplace<Position>(wolf, 1.0F, 2.0F, 3.0F);
//     registry.view<Position, const Velocity>().each([](Position& position, const Velocity& velocity) {...});
//
// A component is any type that moves without throwing; an empty one is a tag and takes no memory. Components
// must not call the registry from their constructors, destructors or moves.
//
// Removal:    destroy() and remove() act at once, also within a view. destroy_later() makes an entity
//             invalid at once, hidden from counts and views, and leaves its components readable by
//             try_get_pending() until sweep(); it moves nothing.
// References: adding moves no component. A removal from a pool may move another component of that pool, but
//             never while a view of a non-const registry that names the type is being iterated.
// Order:      the same calls give the same handles and the same iteration order on every build.
// Cost:       O(1) unless said otherwise; destroying costs by the components the entity has, not by the pools
//             there are. Nothing allocates once the registry has been as large as it gets.
// Errors:     std::bad_alloc, or what a component's constructor throws, with nothing changed; only a removal
//             inside a view may stop half-way, between two components. A broken precondition is our own
//             mistake and aborts (verify).
// Threads:    as the standard containers: const access from many, mutation from one.

#include <array>
#include <bit>
#include <cstddef>
#include <iterator>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>

#include "core/chunked_array.hpp"
#include "core/verify.hpp"
#include "ecs/bytes.hpp"
#include "ecs/component_id.hpp"
#include "ecs/entity.hpp"
#include "ecs/entity_pool.hpp"
#include "ecs/pool.hpp"
#include "ecs/view.hpp"

namespace evertick::ecs {

template <class E>
class BasicRegistry {
  public:
    using EntityType = E;

    // --- entities ---

    // The first is 0:0. The slot freed last is reused first, with the next generation.
    // requires: a slot is left (verified): hold the population below EntityPool<E>::kMaxSlots
    E create() { return entities_.create(); }
    // Writes `count` new entities to `out`. Returns the iterator past the last.
    template <std::output_iterator<E> Out>
    Out create(std::size_t count, Out out) {
        for (; count > 0; --count) *out++ = create();
        return out;
    }
    // Makes exactly this entity, to restore a saved world.
    // Returns false when its slot is taken or retired, it is null or stale: then nothing is changed.
    // cost: O(1) + O(slots passed over for the first time)
    bool create_at(E wished) { return entities_.create_at(wished); }

    // Destroys the entity and its components. Returns false when the handle is stale.
    bool destroy(E entity);
    // Destroys those of the range that are valid. Returns how many.
    template <std::ranges::input_range Entities>
    std::size_t destroy(Entities&& entities) {
        std::size_t count = 0;
        for (const E entity : entities) count += destroy(entity) ? 1U : 0U;
        return count;
    }
    // Dooms the entity. Returns false when the handle is stale, as it is from now on.
    bool destroy_later(E entity);
    // The doomed, in the order in which they were doomed.
    const typename EntityPool<E>::PendingList& pending() const { return entities_.pending(); }
    // Destroys the doomed. Returns how many.
    std::size_t sweep();
    // Destroys everything; handles become stale. The next entities take the lowest slots first.
    // cost: O(entities and components ever alive at once)
    void clear();

    bool valid(E entity) const { return entities_.is_alive(entity); }
    // Whether this entity ever was, valid or not: tells a stale handle from one made up.
    bool was_made(E entity) const { return entities_.was_made(entity); }
    std::size_t alive_count() const { return entities_.alive_count(); }

    // For scans in ascending index: all entities have an index below index_count().
    std::size_t index_count() const { return entities_.slot_count(); }
    // The valid entity of that index, or null; any index may be asked for.
    E entity_at(std::size_t index) const { return entities_.alive_at(index); }
    // All valid entities in ascending index.
    auto entities() const {
        return std::views::iota(std::size_t{0}, index_count()) |
               std::views::transform([this](std::size_t index) { return entity_at(index); }) |
               std::views::filter([](E entity) { return entity != E::null; });
    }

    // --- components ---

    // Adds a component, constructed from the arguments.
    // requires: the entity is valid and has none (verified)
    template <class T, class... Args>
    T& emplace(E entity, Args&&... args);
    // Adds it, or assigns a new one to the one that is there.
    // requires: the entity is valid (verified)
    template <class T, class... Args>
    T& emplace_or_replace(E entity, Args&&... args);
    // Changes the component by change(T&).
    // requires: the entity is valid and has one (verified)
    template <class T, class Change>
    T& patch(E entity, Change&& change) {
        T& component = get<T>(entity);
        std::forward<Change>(change)(component);
        return component;
    }
    // Returns whether there was one.
    template <class T>
    bool remove(E entity);

    // requires: the entity is valid and has one (verified)
    template <class T>
    T& get(E entity) {
        return existing(try_get<T>(entity));
    }
    template <class T>
    const T& get(E entity) const {
        return existing(try_get<T>(entity));
    }
    // nullptr when the handle is stale or the entity has none.
    template <class T>
    T* try_get(E entity) {
        return const_cast<T*>(std::as_const(*this).template try_get<T>(entity));
    }
    template <class T>
    const T* try_get(E entity) const {
        const Pool<T>* const pool = find_pool<T>();
        if (pool == nullptr || !entities_.is_current(entity)) return nullptr;
        const SparseSet::Position position = pool->set().find(entity.index());
        return position < SparseSet::kMark ? &(*pool)[position] : nullptr;
    }
    // nullptr unless the entity is pending and had one.
    template <class T>
    const T* try_get_pending(E entity) const {
        if ((entities_.mask_if_closed(entity) & bit<T>()) == 0) return nullptr;
        const Pool<T>& pool = *find_pool<T>();
        return &pool[pool.set().position_of(entity.index())];
    }
    template <class T>
    bool has(E entity) const {
        const Pool<T>* const pool = find_pool<T>();
        return pool != nullptr && entities_.is_current(entity) && pool->set().contains(entity.index());
    }
    // The types the entity has, as component_mask<Ts...>() names them; nothing when the handle is stale.
    ComponentMask mask(E entity) const { return entities_.mask_if_alive(entity); }

    // --- many at once ---

    // How many valid entities have a T.
    template <class T>
    std::size_t count() const {
        const Pool<T>* const pool = find_pool<T>();
        return pool != nullptr ? pool->set().size() : 0;
    }
    // All entities with every T and none of the excluded: view<Position, const Velocity>(exclude<Frozen>).
    template <class... Ts, class... Excluded>
    auto view(Exclude<Excluded...> = {}) {
        return View<BasicRegistry, Exclude<Excluded...>, Ts...>(*this);
    }
    template <class... Ts, class... Excluded>
    auto view(Exclude<Excluded...> = {}) const {
        return View<const BasicRegistry, Exclude<Excluded...>, const Ts...>(*this);
    }

    // The Ts as a range of spans, for plain loops that need no entity. Until the sweep the doomed are among
    // them, and so is, while a view is iterated, what was removed meanwhile.
    template <class T>
    auto chunks() {
        return made_pool<T>().chunks();
    }
    template <class T>
    auto chunks() const {
        static const Pool<T> no_pool;
        const Pool<T>* const pool = find_pool<T>();
        return (pool != nullptr ? *pool : no_pool).chunks();
    }

    // --- memory ---

    // Of everything, and of one pool.
    Bytes bytes() const;
    template <class T>
    Bytes bytes() const {
        const Pool<T>* const pool = find_pool<T>();
        return pool != nullptr ? pool->bytes() : Bytes{};
    }

    // Aborts unless the invariants hold. cost: O(everything)
    void check_invariants() const;

  private:
    template <class, class, class...>
    friend class ViewQuery;

    // nullptr when no entity ever had a T.
    template <class T>
    Pool<T>* find_pool() {
        return static_cast<Pool<T>*>(pools_[component_id<T>()].get());
    }
    template <class T>
    const Pool<T>* find_pool() const {
        return static_cast<const Pool<T>*>(pools_[component_id<T>()].get());
    }
    template <class T>
    Pool<T>& made_pool() {
        std::unique_ptr<AnyPool>& pool = pools_[component_id<T>()];
        if (pool == nullptr) [[unlikely]]
            pool = std::make_unique<Pool<T>>();
        return static_cast<Pool<T>&>(*pool);
    }

    template <class T>
    static ComponentMask bit() {
        return ComponentMask{1} << component_id<T>();
    }
    template <class T>
    static T& existing(T* component) {
        core::verify(component != nullptr, "Registry::get: the handle is stale or the component is missing");
        return *component;
    }
    void erase_components(std::uint32_t index);

    EntityPool<E> entities_;
    std::array<std::unique_ptr<AnyPool>, kMaxComponentTypes> pools_;  // by ComponentId
};

using Registry = BasicRegistry<Entity>;

template <class E>
bool BasicRegistry<E>::destroy(E entity) {
    if (!valid(entity)) return false;
    erase_components(entity.index());
    entities_.close(entity);
    entities_.free(entity.index());
    return true;
}

template <class E>
bool BasicRegistry<E>::destroy_later(E entity) {
    if (!valid(entity)) return false;
    entities_.doom(entity);
    for (ComponentMask left = entities_.mask_if_closed(entity); left != 0; left &= left - 1)
        pools_[static_cast<std::size_t>(std::countr_zero(left))]->mark_pending(entity.index());
    return true;
}

template <class E>
std::size_t BasicRegistry<E>::sweep() {
    const std::size_t count = pending().size();
    for (const E entity : pending()) erase_components(entity.index());
    entities_.free_pending();
    return count;
}

template <class E>
void BasicRegistry<E>::clear() {
    for (const std::unique_ptr<AnyPool>& pool : pools_)
        if (pool != nullptr) pool->clear();
    entities_.clear();
}

// Bit by bit, so that the mask tells the truth even if a removal fails for want of memory.
template <class E>
void BasicRegistry<E>::erase_components(std::uint32_t index) {
    for (ComponentMask left = entities_.mask(index); left != 0; left &= left - 1) {
        pools_[static_cast<std::size_t>(std::countr_zero(left))]->erase(index);
        entities_.remove_components(index, left & -left);
    }
}

template <class E>
template <class T, class... Args>
T& BasicRegistry<E>::emplace(E entity, Args&&... args) {
    core::verify(valid(entity), "Registry::emplace: the handle is stale");
    core::verify(!has<T>(entity), "Registry::emplace: the entity has this component already");
    T& component = made_pool<T>().emplace(entity.index(), std::forward<Args>(args)...);
    entities_.add_components(entity.index(), bit<T>());
    return component;
}

template <class E>
template <class T, class... Args>
T& BasicRegistry<E>::emplace_or_replace(E entity, Args&&... args) {
    if (T* const present = try_get<T>(entity)) return *present = T(std::forward<Args>(args)...);
    return emplace<T>(entity, std::forward<Args>(args)...);
}

template <class E>
template <class T>
bool BasicRegistry<E>::remove(E entity) {
    if (!has<T>(entity)) return false;
    find_pool<T>()->erase(entity.index());
    entities_.remove_components(entity.index(), bit<T>());
    return true;
}

template <class E>
Bytes BasicRegistry<E>::bytes() const {
    Bytes total = entities_.bytes();
    for (const std::unique_ptr<AnyPool>& pool : pools_)
        if (pool != nullptr) total += pool->bytes();
    return total;
}

template <class E>
void BasicRegistry<E>::check_invariants() const {
    entities_.check_invariants();
    for (ComponentId id = 0; id < kMaxComponentTypes; ++id) {
        if (pools_[id] == nullptr) continue;
        pools_[id]->check_invariants();
        std::size_t alive = 0;
        for (const E entity : entities()) {
            const bool has_bit = (mask(entity) >> id & 1U) != 0;
            alive += has_bit ? 1U : 0U;
            core::verify(has_bit == pools_[id]->set().contains(entity.index()),
                         "Registry: masks agree with pools");
        }
        core::verify(alive == pools_[id]->set().size(), "Registry: pools hold nobody else");
    }
}

}  // namespace evertick::ecs
