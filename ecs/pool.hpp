#pragma once
// Pool<T>: the components of one type and the entities that have one, side by side: component n belongs to
// the entity at position n of the sparse set.
//
// It does not know which handles are valid nor the entities' component masks: the registry does, and is the
// only one to change a pool.
//
// References: adding moves no component. Removing moves the last one into the gap; while the pool is held (a
//             view walks it) nothing moves at all and the removed component lives until the last release.
// Errors:     std::bad_alloc or what a constructor throws, with nothing changed.
// Threads:    as the standard containers.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/chunked_array.hpp"
#include "core/verify.hpp"
#include "ecs/any_pool.hpp"
#include "ecs/bytes.hpp"
#include "ecs/sparse_set.hpp"

namespace evertick::ecs {

// A component without data: having it is all there is to it, so one object stands for all.
template <class T>
inline constexpr bool kIsTag =
    std::is_empty_v<T> && std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T>;

// Whether clone() can copy it. To be specialised as false for a type that only seems to be copyable, such as
// one that has a vector of what is not.
template <class T>
inline constexpr bool kIsCopyable = std::is_copy_constructible_v<T>;

// What a pool keeps for tags in place of a ChunkedArray: nothing.
template <class T>
class TagArray {
  public:
    static constexpr std::size_t kElementsPerChunk = SparseSet::kSlotsPerChunk;

    template <class... Args>
    T& emplace_back(Args&&...) {
        return tag_;
    }
    T& operator[](std::size_t) { return tag_; }
    const T& operator[](std::size_t) const { return tag_; }
    void remove_at_swap(std::size_t) {}
    void clear() {}
    void shrink_to_fit() {}
    static constexpr std::size_t allocated_bytes() { return 0; }

  private:
    [[no_unique_address]] T tag_{};
};

// Stands in for an array of tags.
template <class T>
struct SameForAll {
    T* tag;
    T& operator[](std::size_t) const { return *tag; }
};

template <class T>
class Pool final : public AnyPool {
    static_assert(std::is_object_v<T> && !std::is_const_v<T> && !std::is_volatile_v<T>);
    static_assert(std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T>,
                  "a component must move without throwing: that is how the gap of a removed one is closed");

  public:
    using Storage = std::conditional_t<kIsTag<T>, TagArray<T>, core::ChunkedArray<T>>;

    ~Pool() override { core::verify(!set_.is_held(), "Pool: destroyed while a view walks it"); }

    // requires: position < set().slot_count()
    T& operator[](SparseSet::Position position) { return storage_[position]; }
    const T& operator[](SparseSet::Position position) const { return storage_[position]; }

    // The components from `first` on, to be indexed from 0 to below kStretch; `first` is a multiple of that.
    // Indexing it beats the pool's operator[], which finds the chunk each time.
    static constexpr std::size_t kStretch = std::min(SparseSet::kSlotsPerChunk, Storage::kElementsPerChunk);
    auto stretch(std::size_t first) { return stretch_of(storage_, first); }
    auto stretch(std::size_t first) const { return stretch_of(storage_, first); }

    // requires: the entity has none (verified)
    template <class... Args>
    T& emplace(SparseSet::Index index, Args&&... args) {
        set_.prepare(index);
        T& component = storage_.emplace_back(std::forward<Args>(args)...);
        set_.insert(index);
        return component;
    }
    void erase(SparseSet::Index index) override {
        const SparseSet::Position gap = set_.erase(index);
        if (gap != SparseSet::kNone) storage_.remove_at_swap(gap);
    }
    void clear() override {
        if (set_.clear()) storage_.clear();
    }
    void swap_slots(SparseSet::Position a, SparseSet::Position b) override {
        set_.swap_slots(a, b);
        if constexpr (!kIsTag<T>) std::swap(storage_[a], storage_[b]);
    }

    bool can_copy() const override { return kIsCopyable<T>; }
    void copy(SparseSet::Index from, SparseSet::Index to) override {
        if constexpr (kIsCopyable<T>)
            emplace(to, std::as_const(storage_[set_.position_of(from)]));
        else
            core::verify(false, "Pool: a component of this type cannot be copied");
    }

    // The components as a range of spans.
    auto chunks()
        requires(!kIsTag<T>)
    {
        return storage_.chunks();
    }
    auto chunks() const
        requires(!kIsTag<T>)
    {
        return storage_.chunks();
    }

    void trim() override {
        set_.trim();
        storage_.shrink_to_fit();
    }
    Bytes bytes() const override {
        return {.live = set_.slot_count() * component_bytes(),
                .reserved = set_.bytes().reserved + storage_.allocated_bytes()};
    }
    std::size_t component_bytes() const override {
        return SparseSet::kSlotBytes + (kIsTag<T> ? 0 : sizeof(T));
    }
    void check_invariants() const override {
        set_.check_invariants();
        if constexpr (!kIsTag<T>) {
            storage_.check_invariants();
            core::verify(storage_.size() == set_.slot_count(), "Pool: a component for every slot");
        }
    }

  private:
    void close_holes() override {
        for (;;) {
            const SparseSet::Position gap = set_.close_hole();
            if (gap == SparseSet::kNone) return;
            storage_.remove_at_swap(gap);
        }
    }

    static auto stretch_of(auto& storage, std::size_t first) {
        auto* const component = &storage[first];
        if constexpr (kIsTag<T>)
            return SameForAll{component};
        else
            return component;
    }

    Storage storage_;
};

}  // namespace evertick::ecs
