#pragma once
// Part of registry.hpp, which includes it: what BasicRegistry does to whole entities, and to all of them.

#include "ecs/registry.hpp"
#include "ecs/scoped_flag.hpp"

namespace evertick::ecs {

template <class E>
template <std::output_iterator<E> Out>
Out BasicRegistry<E>::create(std::size_t count, Out out) {
    for (; count > 0; --count) *out++ = create();
    return out;
}

template <class E>
E BasicRegistry<E>::clone(E source) {
    if (!valid(source)) return E::null;
    const ComponentMask types = mask(source);
    for (ComponentMask left = types; left != 0; left &= left - 1)
        core::verify(pools_[static_cast<std::size_t>(std::countr_zero(left))]->can_copy(),
                     "Registry::clone: a component cannot be copied");
    const E copy = create();
    try {
        for (ComponentMask left = types; left != 0; left &= left - 1)
            copy_component(source, copy, static_cast<ComponentId>(std::countr_zero(left)));
    } catch (...) {
        destroy(copy);
        throw;
    }
    return copy;
}

// Unless listeners to the components before have seen to it that there is nothing to copy, or nowhere to.
template <class E>
void BasicRegistry<E>::copy_component(E from, E to, ComponentId type) {
    const ComponentMask bit = ComponentMask{1} << type;
    if ((mask(from) & bit) == 0 || !valid(to) || (mask(to) & bit) != 0) return;
    AnyPool& pool = *pools_[type];
    if (pool.group() != nullptr) pool.group()->prepare();
    pool.copy(from.index(), to.index());
    entities_.add_components(to.index(), bit);
    if ((attended_ & bit) != 0) announce(to, type);
}

// Of an entity without listeners and group, or that is hidden: needs no memory then.
template <class E>
void BasicRegistry<E>::erase_components(E entity) {
    for (ComponentMask left = entities_.mask(entity.index()); left != 0; left &= left - 1) {
        const auto type = static_cast<ComponentId>(std::countr_zero(left));
        if ((attended_ >> type & 1U) != 0) [[unlikely]] {
            erase_attended(entity, type);
        } else {
            pools_[type]->erase(entity.index());
            entities_.remove_components(entity.index(), left & -left);
        }
    }
}

template <class E>
bool BasicRegistry<E>::destroy(E entity) {
    if (!valid(entity)) return false;
    if ((entities_.mask(entity.index()) & attended_) != 0) [[unlikely]] {
        prepare_to_hide(entity);
        destroy_attended(entity);
        return true;
    }
    // Unrolled, so that the first types have virtual calls of their own: one call for all, which a processor
    // cannot predict, took as long as the rest.
#pragma GCC unroll 4
    for (ComponentMask left = entities_.mask(entity.index()); left != 0; left &= left - 1)
        pools_[static_cast<std::size_t>(std::countr_zero(left))]->erase(entity.index());
    entities_.release(entity);  // and the mask with it
    return true;
}

template <class E>
template <std::ranges::input_range Entities>
std::size_t BasicRegistry<E>::destroy(Entities&& entities) {
    std::size_t count = 0;
    for (const E entity : entities) count += destroy(entity) ? 1U : 0U;
    return count;
}

// Listeners find the entity as one that is doomed.
// requires: prepare_to_hide(entity)
template <class E>
void BasicRegistry<E>::destroy_attended(E entity) noexcept {
    entities_.close(entity);
    hide(entity);
    ++destroying_;
    erase_components(entity);
    --destroying_;
    entities_.free(entity.index());
}

template <class E>
bool BasicRegistry<E>::destroy_later(E entity) {
    if (!valid(entity)) return false;
    prepare_to_hide(entity);
    entities_.doom(entity);
    hide(entity);
    return true;
}

template <class E>
void BasicRegistry<E>::prepare_to_hide(E entity) {
    if ((entities_.mask(entity.index()) & attended_) == 0) return;
    for (const std::unique_ptr<OwningGroup>& group : groups_) group->prepare();
}

// Takes the components of an entity that has been closed out of counts, views and groups.
template <class E>
void BasicRegistry<E>::hide(E entity) {
    const ComponentMask types = entities_.mask(entity.index());
    if ((types & attended_) != 0)
        for (const std::unique_ptr<OwningGroup>& group : groups_)
            if ((types & group->types()) == group->types()) group->leave(entity.index());
    for (ComponentMask left = types; left != 0; left &= left - 1)
        pools_[static_cast<std::size_t>(std::countr_zero(left))]->mark_pending(entity.index());
}

template <class E>
std::size_t BasicRegistry<E>::sweep() {
    if (is_sweeping_) return 0;
    const ScopedFlag sweeping(is_sweeping_);
    for (std::size_t i = 0; i < pending().size(); ++i) erase_components(pending()[i]);
    const std::size_t count = pending().size();
    entities_.free_pending();
    return count;
}

template <class E>
void BasicRegistry<E>::clear() {
    const bool is_heard = std::ranges::any_of(signals_, [](const auto& signals) {
        return signals != nullptr && signals->is_heard(ComponentEvent::destroy);
    });
    if (is_heard || destroying_ > 0 || is_sweeping_) {
        entities_.prepare_to_doom_all();
        prepare_to_empty_groups();
        for (const E entity : entities()) destroy_later(entity);
        sweep();
        if (alive_count() > 0 || destroying_ > 0 || is_sweeping_) return;
    }
    entities_.prepare_to_clear();
    prepare_to_empty_groups();
    for (const std::unique_ptr<OwningGroup>& group : groups_) group->clear();
    for (const std::unique_ptr<AnyPool>& pool : pools_)
        if (pool != nullptr) pool->clear();
    entities_.clear();
}

template <class E>
void BasicRegistry<E>::prepare_to_empty_groups() {
    for (const std::unique_ptr<OwningGroup>& group : groups_) group->prepare(group->size());
}

template <class E>
void BasicRegistry<E>::swap(BasicRegistry& other) noexcept {
    entities_.swap(other.entities_);
    pools_.swap(other.pools_);
    signals_.swap(other.signals_);
    groups_.swap(other.groups_);
    std::swap(attended_, other.attended_);
    std::swap(destroying_, other.destroying_);
    std::swap(is_sweeping_, other.is_sweeping_);
}

// --- memory

template <class E>
void BasicRegistry<E>::trim() {
    entities_.trim();
    for (const std::unique_ptr<AnyPool>& pool : pools_)
        if (pool != nullptr) pool->trim();
    for (const std::unique_ptr<OwningGroup>& group : groups_) group->trim();
}

template <class E>
Bytes BasicRegistry<E>::bytes() const {
    Bytes total = entities_.bytes();
    for (const std::unique_ptr<AnyPool>& pool : pools_)
        if (pool != nullptr) total += pool->bytes();
    for (const std::unique_ptr<OwningGroup>& group : groups_) total += group->bytes();
    return total;
}

template <class E>
std::size_t BasicRegistry<E>::bytes(E entity) const {
    if (!valid(entity)) return 0;
    std::size_t total = EntityPool<E>::kSlotBytes;
    for (ComponentMask left = mask(entity); left != 0; left &= left - 1)
        total += pools_[static_cast<std::size_t>(std::countr_zero(left))]->component_bytes();
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
    for (const std::unique_ptr<OwningGroup>& group : groups_) {
        group->check_invariants();
        core::verify((group->types() & ~attended_) == 0, "Registry: types in a group are attended");
    }
}

}  // namespace evertick::ecs
