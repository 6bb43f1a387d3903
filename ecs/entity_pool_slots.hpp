#pragma once
// Part of entity_pool.hpp, which includes it: how EntityPool keeps its slots: the list of the free ones,
// their packing by trim(), and clear().

#include <array>
#include <cstddef>
#include <utility>

#include "ecs/entity_pool.hpp"

namespace evertick::ecs {

template <class E>
void EntityPool<E>::clear() {
    unpack_all();
    first_free_ = kNoSlot;
    is_linked_back_ = false;
    for (auto index = static_cast<Index>(slot_count()); index-- > 0;) {
        if (state(index) == SlotState::free)
            push_free(index);
        else if (state(index) != SlotState::retired)
            end_tenancy(index);
    }
    pending_.clear();
    alive_count_ = 0;
}

template <class E>
void EntityPool<E>::trim() {
    if (slot_count() < kPackedNone)
        for (std::size_t page = 0; page * kPageSize < slot_count(); ++page)
            if (words_.has_page(page) && is_all_free(page)) pack(page);
    generations_.shrink_to_fit();
    pending_.shrink_to_fit();
}

template <class E>
void EntityPool<E>::pack(std::size_t page) {
    packed_.make_page(page);
    for (std::size_t i = 0; i < slots_in(page); ++i) {
        const std::size_t index = page * kPageSize + i;
        packed_.writable(index) = pack_link(next_free(words_[index]));
    }
    words_.drop_page(page);
    is_linked_back_ = false;
}

// Also makes the page of slots that are new.
template <class E>
void EntityPool<E>::unpack(std::size_t page) {
    words_.make_page(page);
    if (!packed_.has_page(page)) return;
    for (std::size_t i = 0; i < kPageSize; ++i) {
        const std::size_t index = page * kPageSize + i;
        words_.writable(index) = free_word(unpack_link(packed_[index]), kNoSlot);
    }
    packed_.drop_page(page);
}

template <class E>
void EntityPool<E>::unpack_all() {
    for (std::size_t page = 0; page < words_.page_count(); ++page)
        if (!words_.has_page(page)) unpack(page);
    packed_.shrink_directory();
}

// The only place where a generation grows. Inlined by force, as push_free() is: the calls took a tenth of a
// destroy().
template <class E>
[[gnu::always_inline]] inline void EntityPool<E>::end_tenancy(Index index) {
    std::uint32_t& generation = generations_[index];
    if (generation == E::kMaxGeneration) {
        // The next generation would be one that stale handles still carry.
        words_.writable(index) = word_of(SlotState::retired);
        return;
    }
    ++generation;
    push_free(index);
}

template <class E>
[[gnu::always_inline]] inline void EntityPool<E>::push_free(Index index) {
    words_.writable(index) = free_word(first_free_, kNoSlot);
    if (is_linked_back_ && first_free_ != kNoSlot) set_previous(first_free_, index);
    first_free_ = index;
}

// Takes the first out of the list.
template <class E>
void EntityPool<E>::pop_free() {
    first_free_ = next_free(words_[first_free_]);
    if (is_linked_back_ && first_free_ != kNoSlot) set_previous(first_free_, kNoSlot);
}

// Takes a slot out of the list, wherever it is.
template <class E>
void EntityPool<E>::take_free(Index index) {
    if (!is_linked_back_) link_back();
    const SlotWord word = words_[index];
    const Index previous = previous_free(word);
    const Index next = next_free(word);
    if (previous != kNoSlot)
        set_next(previous, next);
    else
        first_free_ = next;
    if (next != kNoSlot) set_previous(next, previous);
}

template <class E>
void EntityPool<E>::link_back() {
    unpack_all();
    for (Index index = first_free_, previous = kNoSlot; index != kNoSlot; index = next_of(index))
        set_previous(index, std::exchange(previous, index));
    is_linked_back_ = true;
}

template <class E>
void EntityPool<E>::check_invariants() const {
    words_.check_invariants();
    packed_.check_invariants();
    std::array<std::size_t, 4> counts{};
    for (Index index = 0; index < slot_count(); ++index) ++counts[static_cast<std::size_t>(state(index))];
    const auto count = [&](SlotState state) { return counts[static_cast<std::size_t>(state)]; };
    std::size_t free = 0;
    for (Index index = first_free_, previous = kNoSlot; index != kNoSlot; ++free) {
        core::verify(index < slot_count() && state(index) == SlotState::free,
                     "EntityPool: the listed are free");
        core::verify(!is_linked_back_ || previous_free(words_[index]) == previous,
                     "EntityPool: the free list leads back");
        previous = std::exchange(index, next_of(index));
    }
    core::verify(count(SlotState::free) == free, "EntityPool: the free are listed");
    core::verify(count(SlotState::alive) == alive_count_, "EntityPool: the alive are counted");
    for (const E entity : pending_)
        core::verify(is_closed(entity), "EntityPool: only doomed ones are pending");
    core::verify(count(SlotState::closed) >= pending_.size(), "EntityPool: each is pending once");
    for (std::size_t page = 0; page * kPageSize < slot_count(); ++page)
        core::verify(words_.has_page(page) != packed_.has_page(page), "EntityPool: a page is packed or not");
}

}  // namespace evertick::ecs
