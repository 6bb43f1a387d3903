#pragma once
// EntityPool: the slots of a registry's entities: whose turn it is in each (generation), what components
// that one has (mask), and which slots are free. It knows nothing of the components themselves.
//
// A slot is  free      in the list of slots to reuse; its generation is the next tenant's
//            alive     its entity is valid
//            closed    its entity is valid no longer, but the slot is not free yet: pending, when it waits
//                      for the sweep, or about to be freed by who closed it
//            retired   every generation is used up; it is never used again
//
//     generations  [   0   |   0   |   3   |   1   ]    chunked, 4 bytes a slot
//     words        [ mask  | mask  | links | mask  ]    paged, 8 bytes a slot; see slot_word.hpp
//
// Invariants: an entity is handed out at most once, so a stale handle stays stale. The slot freed last is
//             reused first; new slots are taken in ascending order, and only when none is free.
// Cost:       O(1) unless said otherwise; 12 bytes a slot, 8 after trim() where 1,024 in a row are free.
// Errors:     std::bad_alloc, with nothing changed. Running out of slots aborts: set a limit below.
// Threads:    as the standard containers.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "core/chunked_array.hpp"
#include "core/verify.hpp"
#include "ecs/bytes.hpp"
#include "ecs/component_id.hpp"
#include "ecs/entity.hpp"
#include "ecs/paged_array.hpp"
#include "ecs/slot_word.hpp"
#include "ecs/sparse_set.hpp"

namespace evertick::ecs {

template <class E>
class EntityPool {
  public:
    using Index = std::uint32_t;
    using PendingList = core::ChunkedArray<E, 4096>;

    static constexpr std::size_t kSlotBytes = sizeof(SlotWord) + sizeof(std::uint32_t);
    // Slots there can be. A position in a pool needs one bit of its own, null has an index of its own.
    static constexpr std::uint32_t kMaxSlots = std::min(E::kNullIndex, SparseSet::kMaxIndex + 1);
    static_assert(kMaxSlots <= kNoSlot);

    EntityPool() = default;
    EntityPool(EntityPool&& other) noexcept { swap(other); }
    EntityPool& operator=(EntityPool&& other) noexcept {
        EntityPool(std::move(other)).swap(*this);
        return *this;
    }
    ~EntityPool() = default;
    void swap(EntityPool& other) noexcept {
        generations_.swap(other.generations_);
        words_.swap(other.words_);
        packed_.swap(other.packed_);
        pending_.swap(other.pending_);
        std::swap(first_free_, other.first_free_);
        std::swap(alive_count_, other.alive_count_);
        std::swap(is_linked_back_, other.is_linked_back_);
    }

    // --- asking ---

    // Whether it is the slot's generation: that of the tenant, or of the next one while there is none. Enough
    // to look for its components: a slot without a tenant has none.
    bool is_current(E entity) const {
        return entity.index() < generations_.size() && generations_[entity.index()] == entity.generation();
    }
    bool is_alive(E entity) const { return is_in_state(entity, SlotState::alive); }
    bool is_closed(E entity) const { return is_in_state(entity, SlotState::closed); }
    // Whether this entity ever was: alive, doomed or long gone. Generations that create_at passed over count
    // as gone.
    bool was_made(E entity) const {
        if (entity.index() >= generations_.size()) return false;
        const Index index = entity.index();
        return entity.generation() < generations_[index] ||
               (entity.generation() == generations_[index] && state(index) != SlotState::free);
    }

    // Begins to fetch from memory what the questions above need; changes nothing. Any handle will do.
    void prefetch(E entity) const {
        if (entity.index() >= generations_.size()) return;
        __builtin_prefetch(&generations_[entity.index()]);
        __builtin_prefetch(&words_[entity.index()]);
    }

    std::size_t alive_count() const { return alive_count_; }
    // Slots ever used, whatever their state: all indices are below.
    std::size_t slot_count() const { return generations_.size(); }
    // The entity alive in that slot, or null.
    E alive_at(std::size_t index) const {
        return index < slot_count() && state(static_cast<Index>(index)) == SlotState::alive
                   ? tenant(static_cast<Index>(index))
                   : E::null;
    }
    // The entity in that slot, alive or closed.
    // requires: there is one
    E tenant(Index index) const { return E::from(index, generations_[index]); }
    // Its components.
    // requires: there is one
    ComponentMask mask(Index index) const { return components_of(words_[index]); }
    // The components of an entity; none unless it is alive, or closed.
    ComponentMask mask_if_alive(E entity) const { return is_alive(entity) ? mask(entity.index()) : 0; }
    ComponentMask mask_if_closed(E entity) const { return is_closed(entity) ? mask(entity.index()) : 0; }

    // Calls visit(entity) with those that create() will make from the slots that are free now, in order.
    // cost: O(free slots)
    template <class Visit>
    void each_free(Visit visit) const {
        for (Index index = first_free_; index != kNoSlot; index = next_of(index))
            visit(E::from(index, generations_[index]));
    }

    // The doomed, in the order in which they were doomed.
    const PendingList& pending() const { return pending_; }

    // --- changing ---

    // requires: fewer than kMaxSlots in use or retired (verified)
    E create();
    // Makes exactly this entity. Slots passed over become free, the lowest to be reused first.
    // Returns false when the slot is taken or retired, is beyond kMaxSlots, or the handle is a stale one.
    // cost: O(slots passed over), else O(1); the first time, and the first after trim() and clear(), O(slots)
    bool create_at(E wished);

    // Adds to the components of a slot's entity, and takes from them.
    // requires: alive or closed
    void add_components(Index index, ComponentMask added) { words_.writable(index) |= added; }
    void remove_components(Index index, ComponentMask removed) { words_.writable(index) &= ~removed; }

    // Ends the tenancy: the entity is invalid, the slot's next one has the next generation.
    // requires: is_alive(entity) (verified), its components are gone
    void release(E entity);
    // The same in two steps. Makes the entity invalid; it keeps its components, and its slot until free().
    // requires: is_alive(entity) (verified)
    void close(E entity);
    // requires: the slot is closed, not pending, its components are gone (the first verified)
    void free(Index index);
    // Makes the entity invalid and adds it to pending(); its components stay.
    // requires: is_alive(entity) (verified)
    void doom(E entity);
    // Frees the slots of all pending entities, in order; their components are gone before.
    void free_pending();
    // Make sure that clear(), and doom() for all that are alive, cannot fail.
    void prepare_to_clear() { unpack_all(); }
    void prepare_to_doom_all() { pending_.reserve(pending_.size() + alive_count_); }
    // Frees every slot. After it slots are reused in ascending order. cost: O(slots)
    void clear();

    // Gives back memory. Generations, and which slots are free in which order, stay as they are.
    // cost: O(slots)
    void trim();

    Bytes bytes() const {
        return {.live = alive_count_ * kSlotBytes + pending_.size() * (kSlotBytes + sizeof(E)),
                .reserved = generations_.allocated_bytes() + words_.allocated_bytes() +
                            packed_.allocated_bytes() + pending_.allocated_bytes()};
    }
    // Aborts unless the invariants hold. cost: O(slots)
    void check_invariants() const;

  private:
    using Words = PagedArray<SlotWord, SlotWord{0}>;
    static constexpr std::size_t kPageSize = Words::kPageSize;

    SlotState state(Index index) const { return state_of(words_[index]); }
    bool is_in_state(E entity, SlotState wanted) const {
        return is_current(entity) && state(entity.index()) == wanted;
    }
    std::size_t slots_in(std::size_t page) const {
        return std::min(kPageSize, slot_count() - page * kPageSize);
    }
    bool is_all_free(std::size_t page) const {
        const auto slots = std::span(words_.page(page)).first(slots_in(page));
        return std::ranges::all_of(slots, [](SlotWord word) { return state_of(word) == SlotState::free; });
    }

    // Makes sure that the slot's word can be written.
    void prepare(Index index) {
        if (const std::size_t page = Words::page_of(index); !words_.has_page(page)) [[unlikely]]
            unpack(page);
    }
    void pack(std::size_t page);
    void unpack(std::size_t page);
    void unpack_all();

    // The free list; every slot names the next. The previous ones are known only once create_at has asked.
    Index next_of(Index index) const {
        const std::size_t page = Words::page_of(index);
        return words_.has_page(page) ? next_free(words_[index]) : unpack_link(packed_[index]);
    }
    void set_next(Index index, Index next) {
        SlotWord& word = words_.writable(index);
        word = free_word(next, previous_free(word));
    }
    void set_previous(Index index, Index previous) {
        SlotWord& word = words_.writable(index);
        word = free_word(next_free(word), previous);
    }
    void push_free(Index index);
    void pop_free();
    void take_free(Index index);
    void link_back();
    void end_tenancy(Index index);

    core::ChunkedArray<std::uint32_t> generations_;
    Words words_;
    PagedArray<PackedLink, PackedLink{}> packed_;  // the pages that words_ has not
    PendingList pending_;
    Index first_free_ = kNoSlot;
    std::uint32_t alive_count_ = 0;
    bool is_linked_back_ = false;
};

template <class E>
E EntityPool<E>::create() {
    Index index = first_free_;
    if (index != kNoSlot) {
        prepare(index);
        pop_free();
    } else {
        core::verify(slot_count() < kMaxSlots, "EntityPool: no slot left");
        index = static_cast<Index>(slot_count());
        prepare(index);
        generations_.push_back(0);
    }
    words_.writable(index) = word_of(SlotState::alive);
    ++alive_count_;
    return tenant(index);
}

template <class E>
bool EntityPool<E>::create_at(E wished) {
    const Index index = wished.index();
    if (index >= kMaxSlots) return false;
    if (index < slot_count()) {
        if (state(index) != SlotState::free || wished.generation() < generations_[index]) return false;
        take_free(index);
    } else {
        const auto first_new = static_cast<Index>(slot_count());
        for (std::size_t page = Words::page_of(first_new); page <= Words::page_of(index); ++page)
            if (!words_.has_page(page)) unpack(page);
        generations_.add(index + std::size_t{1} - first_new);
        for (Index passed = index; passed-- > first_new;) push_free(passed);
    }
    generations_[index] = wished.generation();
    words_.writable(index) = word_of(SlotState::alive);
    ++alive_count_;
    return true;
}

template <class E>
void EntityPool<E>::release(E entity) {
    core::verify(is_alive(entity), "EntityPool::release: the entity is not alive");
    --alive_count_;
    end_tenancy(entity.index());
}

template <class E>
void EntityPool<E>::close(E entity) {
    core::verify(is_alive(entity), "EntityPool::close: the entity is not alive");
    words_.writable(entity.index()) |= word_of(SlotState::closed);
    --alive_count_;
}

template <class E>
void EntityPool<E>::free(Index index) {
    core::verify(index < slot_count() && state(index) == SlotState::closed,
                 "EntityPool::free: the slot is not closed");
    end_tenancy(index);
}

template <class E>
void EntityPool<E>::doom(E entity) {
    core::verify(is_alive(entity), "EntityPool::doom: the entity is not alive");
    pending_.push_back(entity);
    close(entity);
}

template <class E>
void EntityPool<E>::free_pending() {
    for (const E entity : pending_) end_tenancy(entity.index());
    pending_.clear();
}

}  // namespace evertick::ecs

#include "ecs/entity_pool_slots.hpp"
