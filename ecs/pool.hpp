#pragma once
// Pool<T>: the components of one type and the entities that have one, side by side: component n belongs to
// the entity at position n of the sparse set. AnyPool is the part that does not depend on T, for destroying
// an entity without knowing what it has.
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
#include "ecs/bytes.hpp"
#include "ecs/sparse_set.hpp"

namespace evertick::ecs {

class AnyPool {
  public:
    AnyPool() = default;
    AnyPool(const AnyPool&) = delete;
    AnyPool& operator=(const AnyPool&) = delete;
    virtual ~AnyPool() = default;

    const SparseSet& set() const { return set_; }

    // The entity's component is hidden until it is erased; see SparseSet.
    void mark_pending(SparseSet::Index index) { set_.mark_pending(index); }
    virtual void erase(SparseSet::Index index) = 0;
    virtual void clear() = 0;

    // While held nothing moves: removals leave holes that the last release closes.
    void hold() { set_.hold(); }
    virtual void release() = 0;

    virtual Bytes bytes() const = 0;
    virtual void check_invariants() const = 0;

  protected:
    SparseSet set_;
};

// A component without data: having it is all there is to it, so one object stands for all.
template <class T>
inline constexpr bool kIsTag =
    std::is_empty_v<T> && std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T>;

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
    // requires: the entity has one, pending or not (verified)
    void erase(SparseSet::Index index) override {
        if (const auto gap = set_.erase(index)) storage_.remove_at_swap(*gap);
    }
    void clear() override {
        if (set_.clear()) storage_.clear();
    }
    void release() override {
        set_.release();
        if (set_.is_held()) return;
        while (const auto gap = set_.close_hole()) storage_.remove_at_swap(*gap);
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

    Bytes bytes() const override {
        Bytes bytes = set_.bytes();
        if constexpr (!kIsTag<T>) bytes.live += set_.slot_count() * sizeof(T);
        bytes.reserved += storage_.allocated_bytes();
        return bytes;
    }
    void check_invariants() const override {
        set_.check_invariants();
        if constexpr (!kIsTag<T>) {
            storage_.check_invariants();
            core::verify(storage_.size() == set_.slot_count(), "Pool: a component for every slot");
        }
    }

  private:
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
