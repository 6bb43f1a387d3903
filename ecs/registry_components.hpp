#pragma once
// Part of registry.hpp, which includes it: how BasicRegistry adds, changes, sorts and removes components.
//
// A type is attended when it ever had a listener or is in a group: only then is there more to do than to
// change the pool and the mask. Listeners run while their pool is held, so that nothing they do moves or
// ends the component they were given.

#include "ecs/registry.hpp"
#include "ecs/sort.hpp"

namespace evertick::ecs {

// --- pools, signals and groups are made when they are first asked for

template <class E>
template <class T>
Pool<T>& BasicRegistry<E>::made_pool() {
    std::unique_ptr<AnyPool>& pool = pools_[component_id<T>()];
    if (pool == nullptr) [[unlikely]]
        pool = std::make_unique<Pool<T>>();
    return static_cast<Pool<T>&>(*pool);
}

template <class E>
template <class T>
ComponentSignals<E, T>& BasicRegistry<E>::made_signals() {
    std::unique_ptr<AnyComponentSignals<E>>& signals = signals_[component_id<T>()];
    if (signals == nullptr) {
        signals = std::make_unique<ComponentSignals<E, T>>();
        attended_ |= bit<T>();
    }
    return static_cast<ComponentSignals<E, T>&>(*signals);
}

template <class E>
template <class... Ts>
OwningGroup& BasicRegistry<E>::made_group() {
    const ComponentMask types = component_mask<Ts...>();
    core::verify(std::popcount(types) == sizeof...(Ts), "Registry::group: a type is named twice");
    std::vector<AnyPool*> pools{&made_pool<std::remove_const_t<Ts>>()...};
    if (OwningGroup* const group = pools.front()->group(); group != nullptr && group->types() == types)
        return *group;
    groups_.reserve(groups_.size() + 1);
    groups_.push_back(std::make_unique<OwningGroup>(types, std::move(pools)));
    attended_ |= types;
    return *groups_.back();
}

// --- finding

// kMark or more when there is none. These three are inlined by force: calls took a quarter of a get.
template <class E>
template <class T>
[[gnu::always_inline]] inline SparseSet::Position BasicRegistry<E>::position_in(const Pool<T>* pool,
                                                                                E entity) const {
    if (pool == nullptr || !entities_.is_current(entity)) return SparseSet::kNone;
    return pool->set().find(entity.index());
}

template <class E>
template <class T>
[[gnu::always_inline]] inline const T* BasicRegistry<E>::try_get(E entity) const {
    const Pool<T>* const pool = find_pool<T>();
    const SparseSet::Position position = position_in(pool, entity);
    return position < SparseSet::kMark ? &(*pool)[position] : nullptr;
}

template <class E>
template <class T>
[[gnu::always_inline]] inline const T& BasicRegistry<E>::get(E entity) const {
    const Pool<T>* const pool = find_pool<T>();
    const SparseSet::Position position = position_in(pool, entity);
    core::verify(position < SparseSet::kMark,
                 "Registry::get: the handle is stale or the component is missing");
    return (*pool)[position];
}

template <class E>
template <class T>
const T* BasicRegistry<E>::try_get_pending(E entity) const {
    if ((entities_.mask_if_closed(entity) & bit<T>()) == 0) return nullptr;
    const Pool<T>& pool = *find_pool<T>();
    return &pool[pool.set().position_of(entity.index())];
}

template <class E>
template <class T>
bool BasicRegistry<E>::has(E entity) const {
    const Pool<T>* const pool = find_pool<T>();
    return pool != nullptr && entities_.is_current(entity) && pool->set().contains(entity.index());
}

// --- adding

template <class E>
template <class T, class... Args>
T& BasicRegistry<E>::emplace(E entity, Args&&... args) {
    core::verify(valid(entity), "Registry::emplace: the handle is stale");
    core::verify((entities_.mask(entity.index()) & bit<T>()) == 0,
                 "Registry::emplace: the entity has this component already");
    T* const component = add<T>(entity, std::forward<Args>(args)...);
    core::verify(component != nullptr, "Registry::emplace: a listener has removed the component again");
    return *component;
}

template <class E>
template <class T, std::ranges::input_range Entities, class... Args>
void BasicRegistry<E>::emplace(Entities&& entities, const Args&... args) {
    for (const E entity : entities) emplace<T>(entity, args...);
}

template <class E>
template <class T, class... Args>
T* BasicRegistry<E>::try_emplace(E entity, Args&&... args) {
    const bool lacks_it = valid(entity) && (entities_.mask(entity.index()) & bit<T>()) == 0;
    return lacks_it ? add<T>(entity, std::forward<Args>(args)...) : nullptr;
}

// Inlined by force: what emplace() has just checked and looked up need not be again.
// requires: the entity is valid and has none
template <class E>
template <class T, class... Args>
[[gnu::always_inline]] inline T* BasicRegistry<E>::add(E entity, Args&&... args) {
    Pool<T>& pool = made_pool<T>();
    const bool is_attended = (attended_ & bit<T>()) != 0;
    if (is_attended && pool.group() != nullptr) [[unlikely]]
        pool.group()->prepare();
    T& component = pool.emplace(entity.index(), std::forward<Args>(args)...);
    entities_.add_components(entity.index(), bit<T>());
    if (is_attended) [[unlikely]]
        return announced<T>(entity);
    return &component;
}

template <class E>
template <class T>
T* BasicRegistry<E>::announced(E entity) {
    announce(entity, component_id<T>());
    return try_get<T>(entity);
}

template <class E>
void BasicRegistry<E>::announce(E entity, ComponentId type) {
    OwningGroup* const group = pools_[type]->group();
    if (group != nullptr && (mask(entity) & group->types()) == group->types()) group->join(entity.index());
    publish(ComponentEvent::construct, entity, type);
}

// requires: the entity has the component
template <class E>
void BasicRegistry<E>::publish(ComponentEvent event, E entity, ComponentId type) {
    AnyComponentSignals<E>* const signals = signals_[type].get();
    if (signals == nullptr || !signals->is_heard(event)) return;
    AnyPool& pool = *pools_[type];
    const Holds<1> hold({&pool});
    signals->publish(event, *this, entity, pool, pool.set().position_of(entity.index()));
}

// --- changing

template <class E>
template <class T, class Change>
T& BasicRegistry<E>::patch(E entity, Change&& change) {
    T& component = get<T>(entity);
    std::forward<Change>(change)(component);
    return updated(entity, component);
}

template <class E>
template <class T, class... Args>
T& BasicRegistry<E>::replace(E entity, Args&&... args) {
    T& component = get<T>(entity);
    component = T(std::forward<Args>(args)...);
    return updated(entity, component);
}

template <class E>
template <class T, class... Args>
T& BasicRegistry<E>::emplace_or_replace(E entity, Args&&... args) {
    T* const present = try_get<T>(entity);
    if (present == nullptr) return emplace<T>(entity, std::forward<Args>(args)...);
    *present = T(std::forward<Args>(args)...);
    return updated(entity, *present);
}

template <class E>
template <class T>
T& BasicRegistry<E>::updated(E entity, T& component) {
    if ((attended_ & bit<T>()) == 0) [[likely]]
        return component;
    publish(ComponentEvent::update, entity, component_id<T>());
    return get<T>(entity);
}

template <class E>
template <class T, class Compare>
bool BasicRegistry<E>::sort(Compare compare) {
    Pool<T>& pool = made_pool<T>();
    if (pool.set().is_held()) return false;
    OwningGroup* const group = pool.group();
    const std::size_t members = group != nullptr ? group->size() : 0;
    auto member_order = sorted_order(pool, 0, members, compare);
    auto other_order = sorted_order(pool, members, pool.set().slot_count(), compare);
    apply_order(std::move(member_order), 0, [&](auto a, auto b) { group->swap_slots(a, b); });
    apply_order(std::move(other_order), members, [&](auto a, auto b) { pool.swap_slots(a, b); });
    return true;
}

// --- removing

template <class E>
template <class T>
bool BasicRegistry<E>::remove(E entity) {
    if (!has<T>(entity)) return false;
    if ((attended_ & bit<T>()) != 0) [[unlikely]] {
        erase_attended(entity, component_id<T>());
    } else {
        find_pool<T>()->erase(entity.index());
        entities_.remove_components(entity.index(), bit<T>());
    }
    return true;
}

template <class E>
void BasicRegistry<E>::erase_attended(E entity, ComponentId type) {
    AnyPool& pool = *pools_[type];
    OwningGroup* const group = pool.group();
    AnyComponentSignals<E>* const signals = signals_[type].get();
    const bool is_heard = signals != nullptr && signals->is_heard(ComponentEvent::destroy);
    if (group != nullptr && !group->is_held()) group->leave(entity.index());  // before the hold
    const Holds<1> hold({is_heard ? &pool : nullptr});
    const SparseSet::Position position = pool.set().position_of(entity.index());
    if (group != nullptr)
        group->erase(pool, entity.index());
    else
        pool.erase(entity.index());
    entities_.remove_components(entity.index(), ComponentMask{1} << type);
    if (is_heard) signals->publish(ComponentEvent::destroy, *this, entity, pool, position);
}

}  // namespace evertick::ecs
