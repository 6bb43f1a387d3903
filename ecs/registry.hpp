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
// must not call the registry from their constructors, destructors or moves; listeners may call anything.
//
// Removal:    destroy() and remove() act at once, also within a view. destroy_later() makes an entity
//             invalid at once, hidden from counts and views, and leaves its components readable by
//             try_get_pending() until sweep().
// References: adding moves no component. A removal from a pool may move another component of that pool, but
//             never while a view of a non-const registry that names the type is being iterated. sort()
//             moves components, and so does, in the types of a group, whatever makes an entity join or leave.
// Order:      the same calls give the same handles and the same iteration order on every build.
// Cost:       O(1) unless said otherwise; destroying costs by the components the entity has, not by the pools
//             there are. Nothing allocates once the registry has been as large as it gets. A type without
//             listeners and group pays a load and a branch for them.
// Errors:     std::bad_alloc, or what a component's constructor throws, with nothing changed; of a range, the
//             entities before keep what they got. Removal needs no memory, but for the members of a group
//             while it is iterated. A broken precondition is our own mistake and aborts (verify).
// Moving:     takes everything along, listeners too; the registry moved from is empty and usable. Not while a
//             view is iterated or a listener runs.
// Threads:    as the standard containers: const access from many, mutation from one.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/chunked_array.hpp"
#include "core/verify.hpp"
#include "ecs/bytes.hpp"
#include "ecs/component_id.hpp"
#include "ecs/component_signals.hpp"
#include "ecs/entity.hpp"
#include "ecs/entity_pool.hpp"
#include "ecs/group.hpp"
#include "ecs/owning_group.hpp"
#include "ecs/pool.hpp"
#include "ecs/view.hpp"

namespace evertick::ecs {

template <class E>
class BasicRegistry {
  public:
    using EntityType = E;
    // Listeners take (BasicRegistry&, E, T&).
    template <class T>
    using ComponentSignal = typename ComponentSignals<E, T>::ComponentSignal;

    BasicRegistry() = default;
    BasicRegistry(BasicRegistry&& other) noexcept { swap(other); }
    BasicRegistry& operator=(BasicRegistry&& other) noexcept {
        BasicRegistry(std::move(other)).swap(*this);
        return *this;
    }
    ~BasicRegistry() = default;
    void swap(BasicRegistry& other) noexcept;

    // --- entities ---

    // The first is 0:0. The slot freed last is reused first, with the next generation.
    // requires: a slot is left (verified): hold the population below EntityPool<E>::kMaxSlots
    E create() { return entities_.create(); }
    // Writes `count` new entities to `out`. Returns the iterator past the last.
    template <std::output_iterator<E> Out>
    Out create(std::size_t count, Out out);
    // Makes exactly this entity, to restore a saved world.
    // Returns false when its slot is taken or retired, it is null or stale: then nothing is changed.
    // cost: O(1) + O(slots passed over for the first time)
    bool create_at(E wished) { return entities_.create_at(wished); }
    // Makes an entity with a copy of each component of another one. Returns null when the handle is stale.
    // requires: all its components can be copied (verified)
    // errors: as for emplace; the new entity is destroyed then
    // A listener may have destroyed the copy: then the handle is stale.
    E clone(E source);

    // Destroys the entity and its components. Returns false when the handle is stale.
    bool destroy(E entity);
    // Destroys those of the range that are valid. Returns how many.
    template <std::ranges::input_range Entities>
    std::size_t destroy(Entities&& entities);
    // Dooms the entity. Returns false when the handle is stale, as it is from now on.
    bool destroy_later(E entity);
    // The doomed, in the order in which they were doomed.
    const typename EntityPool<E>::PendingList& pending() const { return entities_.pending(); }
    // Destroys the doomed, also those that a listener dooms meanwhile. Returns how many; 0 from a listener of
    // a sweep.
    std::size_t sweep();
    // Destroys everything; handles become stale. The next entities take the lowest slots first, unless
    // listeners made some meanwhile, which stay.
    // cost: O(entities and components ever alive at once)
    void clear();

    bool valid(E entity) const { return entities_.is_alive(entity); }
    // Whether this entity ever was, valid or not: tells a stale handle from one made up.
    bool was_made(E entity) const { return entities_.was_made(entity); }
    std::size_t alive_count() const { return entities_.alive_count(); }
    // Begins to fetch from memory what says whether the entity is valid and what it has: for who has
    // something else to do until asking. Any handle will do.
    void prefetch(E entity) const { entities_.prefetch(entity); }

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

    // Calls visit(entity) with those that create() will make from the slots that are free now, in order;
    // after them it takes new slots. cost: O(free slots)
    template <class Visit>
    void each_free(Visit visit) const {
        entities_.each_free(visit);
    }

    // --- components ---

    // Adds a component, constructed from the arguments.
    // requires: the entity is valid and has none, and no listener takes it away again (verified)
    template <class T, class... Args>
    T& emplace(E entity, Args&&... args);
    // The same, asking: nullptr when the handle is stale, the component is there already, or a listener has
    // taken it away again.
    template <class T, class... Args>
    T* try_emplace(E entity, Args&&... args);
    // Adds one to each entity of the range, all from the same arguments. When it throws, those before have
    // theirs.
    template <class T, std::ranges::input_range Entities, class... Args>
    void emplace(Entities&& entities, const Args&... args);
    // Assigns a new one to the one that is there.
    // requires: the entity is valid and has one, also after its listeners have run (verified)
    template <class T, class... Args>
    T& replace(E entity, Args&&... args);
    // Does either.
    // requires: the entity is valid, and has one after its listeners have run (verified)
    template <class T, class... Args>
    T& emplace_or_replace(E entity, Args&&... args);
    // Changes the component by change(T&), which removes no T.
    // requires: the entity is valid and has one, also after its listeners have run (verified)
    template <class T, class Change>
    T& patch(E entity, Change&& change);
    // Returns whether there was one.
    template <class T>
    bool remove(E entity);

    // requires: the entity is valid and has one (verified)
    template <class T>
    T& get(E entity) {
        return const_cast<T&>(std::as_const(*this).template get<T>(entity));
    }
    template <class T>
    const T& get(E entity) const;
    // nullptr when the handle is stale or the entity has none.
    template <class T>
    T* try_get(E entity) {
        return const_cast<T*>(std::as_const(*this).template try_get<T>(entity));
    }
    template <class T>
    const T* try_get(E entity) const;
    // nullptr unless the entity is doomed, or being destroyed, and has one.
    template <class T>
    const T* try_get_pending(E entity) const;
    template <class T>
    bool has(E entity) const;
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
    // All entities with every T, side by side in the pools of these types from the first call on.
    // requires: each type is in no other group; the first time, none of their pools is held (verified)
    // cost: O(1); the first time O(smallest pool x types)
    template <class... Ts>
    auto group() {
        return Group<E, Ts...>(made_group<Ts...>(), entities_, made_pool<std::remove_const_t<Ts>>()...);
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

    // Puts the Ts, and so the views that walk them, in the order of compare(const T&, const T&); equal ones
    // stay in the order they were in. Of a type in a group, members and the others are sorted each for
    // themselves. Returns false, with nothing changed, while a view of the type is iterated.
    // requires: compare is a strict weak order, and changes nothing
    // errors: std::bad_alloc, or what compare throws, with nothing changed      cost: O(n log n)
    template <class T, class Compare>
    bool sort(Compare compare);

    // --- listeners: called in the order of connecting; see signal.hpp ---
    // While listeners of a type run its components stay where they are, as while a view is iterated.

    // The component has been added.
    template <class T>
    ComponentSignal<T>& on_construct() {
        return made_signals<T>().of(ComponentEvent::construct);
    }
    // It has been patched or replaced.
    template <class T>
    ComponentSignal<T>& on_update() {
        return made_signals<T>().of(ComponentEvent::update);
    }
    // It has been removed: the entity has none any more. It is destructed when all listeners have run. Of an
    // entity that is destroyed the others are still read by try_get_pending(), in order of type number.
    template <class T>
    ComponentSignal<T>& on_destroy() {
        return made_signals<T>().of(ComponentEvent::destroy);
    }

    // --- memory ---

    // Gives back what no entity and no component needs. Handles, their reuse and all orders stay as they are.
    // cost: O(everything)
    void trim();
    // Of everything, of one pool, and what one entity takes with its components: 0 when the handle is stale.
    // That of all entities is what is live in everything, unless some are doomed.
    Bytes bytes() const;
    std::size_t bytes(E entity) const;
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
        return static_cast<Pool<T>*>(pools_[component_id_if_any<T>()].get());
    }
    template <class T>
    const Pool<T>* find_pool() const {
        return static_cast<const Pool<T>*>(pools_[component_id_if_any<T>()].get());
    }
    template <class T>
    Pool<T>& made_pool();
    template <class T>
    ComponentSignals<E, T>& made_signals();
    template <class... Ts>
    OwningGroup& made_group();

    template <class T>
    static ComponentMask bit() {
        return ComponentMask{1} << component_id<T>();
    }
    template <class T>
    SparseSet::Position position_in(const Pool<T>* pool, E entity) const;

    template <class T, class... Args>
    T* add(E entity, Args&&... args);
    template <class T>
    T* announced(E entity);
    template <class T>
    T& updated(E entity, T& component);
    void announce(E entity, ComponentId type);
    void publish(ComponentEvent event, E entity, ComponentId type);
    void copy_component(E from, E to, ComponentId type);
    void erase_attended(E entity, ComponentId type);
    void erase_components(E entity);
    void destroy_attended(E entity) noexcept;
    void prepare_to_hide(E entity);
    void prepare_to_empty_groups();
    void hide(E entity);

    EntityPool<E> entities_;
    // By ComponentId. Of a type without a number there is no pool: find_pool() need not ask for one.
    std::array<std::unique_ptr<AnyPool>, kUnnumbered + 1> pools_;
    std::array<std::unique_ptr<AnyComponentSignals<E>>, kMaxComponentTypes> signals_;
    std::vector<std::unique_ptr<OwningGroup>> groups_;
    ComponentMask attended_ = 0;    // types that ever had a listener, or are in a group
    std::uint32_t destroying_ = 0;  // how many destroy() are telling listeners
    bool is_sweeping_ = false;
};

using Registry = BasicRegistry<Entity>;

}  // namespace evertick::ecs

#include "ecs/registry_components.hpp"
#include "ecs/registry_entities.hpp"
