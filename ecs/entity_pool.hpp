#pragma once
// EntityPool: the slots of a registry's entities: whose turn it is in each (generation), what components
// that one has (mask), and which slots are free. It knows nothing of the components themselves.
//
// A slot is  free      in the list of slots to reuse; its generation is the next tenant's
//            alive     its entity is valid
//            pending   its entity is doomed: no longer valid, not yet swept
//            retired   every generation is used up; it is never used again
//
// Invariants: an entity is handed out at most once, so a stale handle stays stale. The slot freed last is
//             reused first; new slots are taken in ascending order, and only when none is free.
// Cost:       O(1) unless said otherwise; 16 bytes a slot, kept until the pool is destroyed.
// Errors:     std::bad_alloc, with nothing changed. Running out of slots aborts: set a limit below.
// Threads:    as the standard containers.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/chunked_array.hpp"
#include "core/verify.hpp"
#include "ecs/bytes.hpp"
#include "ecs/component_id.hpp"
#include "ecs/entity.hpp"
#include "ecs/sparse_set.hpp"

namespace evertick::ecs {

template <class E>
class EntityPool {
  public:
    using Index = std::uint32_t;
    using PendingList = core::ChunkedArray<E, 4096>;

    // Slots there can be. A position in a pool needs one bit of its own, null has an index of its own.
    static constexpr std::uint32_t kMaxSlots = std::min(E::kNullIndex, SparseSet::kMaxIndex + 1);

    EntityPool() = default;
    EntityPool(EntityPool&& other) noexcept { swap(other); }
    EntityPool& operator=(EntityPool&& other) noexcept {
        EntityPool(std::move(other)).swap(*this);
        return *this;
    }
    ~EntityPool() = default;
    void swap(EntityPool& other) noexcept {
        slots_.swap(other.slots_);
        pending_.swap(other.pending_);
        std::swap(first_free_, other.first_free_);
        std::swap(alive_count_, other.alive_count_);
    }

    // --- asking ---

    bool is_alive(E entity) const { return is_in_state(entity, kAlive); }
    bool is_pending(E entity) const { return is_in_state(entity, kPending); }
    // Whether this entity ever was: alive, doomed or long gone. Generations that create_at passed over count
    // as gone.
    bool was_made(E entity) const {
        if (entity.index() >= slots_.size()) return false;
        const Slot& slot = slots_[entity.index()];
        const bool is_tenant = slot.state == kAlive || slot.state == kPending || slot.state == kRetired;
        return entity.generation() < slot.generation || (is_tenant && entity.generation() == slot.generation);
    }

    std::size_t alive_count() const { return alive_count_; }
    // Slots ever used, whatever their state: all indices are below.
    std::size_t slot_count() const { return slots_.size(); }
    // The entity alive in that slot, or null.
    E alive_at(std::size_t index) const {
        return index < slots_.size() && slots_[index].state == kAlive ? tenant(static_cast<Index>(index))
                                                                      : E::null;
    }
    // The entity in that slot, alive or pending.
    // requires: there is one
    E tenant(Index index) const { return E::from(index, slots_[index].generation); }
    // The components of an entity; none unless it is alive, or pending.
    ComponentMask mask_if_alive(E entity) const { return mask_if(kAlive, entity); }
    ComponentMask mask_if_pending(E entity) const { return mask_if(kPending, entity); }
    // The same, to change.
    // requires: alive or pending
    ComponentMask& mask(Index index) { return slots_[index].mask; }

    // The doomed, in the order in which they were doomed.
    const PendingList& pending() const { return pending_; }

    // --- changing ---

    // requires: fewer than kMaxSlots in use or retired (verified)
    E create();
    // Makes exactly this entity. Slots passed over become free, the lowest to be reused first.
    // Returns false when the slot is taken or retired, is beyond kMaxSlots, or the handle is a stale one.
    // cost: O(slots passed over), else O(1)
    bool create_at(E wished);

    // Frees the slot; its components are gone before.
    // requires: is_alive(entity) (verified)
    void destroy(E entity);
    // Makes the entity invalid and adds it to pending(); its components stay.
    // requires: is_alive(entity) (verified)
    void doom(E entity);
    // Frees the slots of all pending entities, in order; their components are gone before.
    void free_pending();
    // Frees every slot. After it slots are reused in ascending order. cost: O(slots)
    void clear();

    Bytes bytes() const {
        return {.live = alive_count_ * sizeof(Slot) + pending_.size() * (sizeof(Slot) + sizeof(E)),
                .reserved = slots_.allocated_bytes() + pending_.allocated_bytes()};
    }
    // Aborts unless the invariants hold. cost: O(slots)
    void check_invariants() const;

  private:
    // What a slot is; any smaller value: free, and this is the next free slot.
    enum State : std::uint32_t { kAlive = 0xffff'fffc, kPending, kRetired, kLastFree };

    struct Slot {
        std::uint32_t generation = 0;
        std::uint32_t state = kAlive;
        union {
            ComponentMask mask = 0;       // alive, pending
            std::uint32_t previous_free;  // free: the list is doubly linked, for create_at
        };
    };

    static bool is_tenant(E entity, const Slot& slot, State state) {
        return slot.generation == entity.generation() && slot.state == state;
    }
    bool is_in_state(E entity, State state) const {
        return entity.index() < slots_.size() && is_tenant(entity, slots_[entity.index()], state);
    }
    ComponentMask mask_if(State state, E entity) const {
        if (entity.index() >= slots_.size()) return 0;
        const Slot& slot = slots_[entity.index()];
        return is_tenant(entity, slot, state) ? slot.mask : 0;
    }
    void end_tenancy(Index index);
    void push_free(Index index);
    void take_free(Index index);

    core::ChunkedArray<Slot> slots_;
    PendingList pending_;
    std::uint32_t first_free_ = kLastFree;
    std::uint32_t alive_count_ = 0;
};

template <class E>
E EntityPool<E>::create() {
    Index index = first_free_;
    if (index != kLastFree) {
        take_free(index);
    } else {
        core::verify(slots_.size() < kMaxSlots, "EntityPool: no slot left");
        index = static_cast<Index>(slots_.size());
        slots_.emplace_back();
    }
    ++alive_count_;
    return tenant(index);
}

template <class E>
bool EntityPool<E>::create_at(E wished) {
    const Index index = wished.index();
    if (index >= kMaxSlots) return false;
    if (index < slots_.size()) {
        const Slot& slot = slots_[index];
        const bool is_free = slot.state < kAlive || slot.state == kLastFree;
        if (!is_free || wished.generation() < slot.generation) return false;
        take_free(index);
    } else {
        const auto first_new = static_cast<Index>(slots_.size());
        slots_.add(index + std::size_t{1} - first_new);
        for (Index passed = index; passed-- > first_new;) push_free(passed);
    }
    slots_[index].generation = wished.generation();
    ++alive_count_;
    return true;
}

template <class E>
void EntityPool<E>::destroy(E entity) {
    core::verify(is_alive(entity), "EntityPool::destroy: the entity is not alive");
    end_tenancy(entity.index());
    --alive_count_;
}

template <class E>
void EntityPool<E>::doom(E entity) {
    core::verify(is_alive(entity), "EntityPool::doom: the entity is not alive");
    pending_.push_back(entity);
    slots_[entity.index()].state = kPending;
    --alive_count_;
}

template <class E>
void EntityPool<E>::free_pending() {
    for (const E entity : pending_) end_tenancy(entity.index());
    pending_.clear();
}

template <class E>
void EntityPool<E>::clear() {
    first_free_ = kLastFree;
    for (auto index = static_cast<Index>(slots_.size()); index-- > 0;) {
        const std::uint32_t state = slots_[index].state;
        if (state == kAlive || state == kPending)
            end_tenancy(index);
        else if (state != kRetired)
            push_free(index);
    }
    pending_.clear();
    alive_count_ = 0;
}

// The only place where a generation grows.
template <class E>
void EntityPool<E>::end_tenancy(Index index) {
    Slot& slot = slots_[index];
    if (slot.generation == E::kMaxGeneration) {
        slot.state = kRetired;  // the next generation would be one that stale handles still carry
        return;
    }
    ++slot.generation;
    push_free(index);
}

template <class E>
void EntityPool<E>::push_free(Index index) {
    slots_[index].state = first_free_;
    slots_[index].previous_free = kLastFree;
    if (first_free_ != kLastFree) slots_[first_free_].previous_free = index;
    first_free_ = index;
}

// Takes a slot out of the list, wherever it is, and makes it alive.
template <class E>
void EntityPool<E>::take_free(Index index) {
    Slot& slot = slots_[index];
    const std::uint32_t previous = slot.previous_free;
    const std::uint32_t next = slot.state;
    (previous != kLastFree ? slots_[previous].state : first_free_) = next;
    if (next != kLastFree) slots_[next].previous_free = previous;
    slot.state = kAlive;
    slot.mask = 0;
}

template <class E>
void EntityPool<E>::check_invariants() const {
    std::size_t alive = 0;
    std::size_t pending = 0;
    std::size_t retired = 0;
    for (const Slot& slot : slots_) {
        alive += slot.state == kAlive ? 1U : 0U;
        pending += slot.state == kPending ? 1U : 0U;
        retired += slot.state == kRetired ? 1U : 0U;
    }
    std::size_t free = 0;
    for (std::uint32_t index = first_free_, previous = kLastFree; index != kLastFree; ++free) {
        const Slot& slot = slots_.at(index);
        core::verify(slot.previous_free == previous, "EntityPool: the free list leads back");
        previous = std::exchange(index, slot.state);
    }
    core::verify(alive == alive_count_, "EntityPool: the alive are counted");
    core::verify(pending == pending_.size(), "EntityPool: the pending are listed");
    core::verify(alive + pending + retired + free == slots_.size(), "EntityPool: every other slot is free");
    for (const E entity : pending_)
        core::verify(is_pending(entity), "EntityPool: only pending ones are listed");
}

}  // namespace evertick::ecs
