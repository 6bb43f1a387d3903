#pragma once
// SparseSet: which entities have a component, in an order that is packed for walking.
//
//     sparse[index] -> position          one page of 1,024 at a time; all pages without an entity are one
//     dense[position] -> index           chunked, packed
//
// It knows indices only. Whether a handle is current is settled before: the generation is in the entity's
// record, once. A pool keeps its components parallel to dense and is told every position that changes.
//
// A slot of dense can be marked: then it is still there but nobody finds it or walks over it. It is
//   pending  its entity waits for the sweep; the index is still in it, and position_of() leads there
//   a hole   removed while the set was held; the last release closes it
// A hold (a walk in progress) is what makes removal leave holes: nothing moves while there is one.
//
// Invariants: sparse and dense are inverse to each other; size() is the number of unmarked slots; without a
//             hold there are no holes.
// Order:      of insertion, except that the last one takes the place of a removed one.
// Cost:       every operation O(1) unless said otherwise. A huge index costs one page, and 8 bytes for every
//             1,024 indices below it. Memory is kept until trim().
// Threads:    as the standard containers.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "core/chunked_array.hpp"
#include "core/verify.hpp"
#include "ecs/bytes.hpp"
#include "ecs/paged_array.hpp"

namespace evertick::ecs {

class SparseSet {
  public:
    using Index = std::uint32_t;     // of an entity
    using Position = std::uint32_t;  // in dense

    // Positions and indices stay below; a value from here on says "not here".
    static constexpr std::uint32_t kMark = std::uint32_t{1} << 31;
    static constexpr std::uint32_t kMaxIndex = kMark - 2;
    // No position. Not std::optional, whose two parts g++ writes and reads back as one: that wait took a
    // third of a removal.
    static constexpr Position kNone = kMark;
    static constexpr std::size_t kSlotBytes = sizeof(Index) + sizeof(Position);
    static constexpr std::size_t kSlotsPerChunk = core::ChunkedArray<Index>::kElementsPerChunk;

    SparseSet() = default;
    SparseSet(const SparseSet&) = delete;
    SparseSet& operator=(const SparseSet&) = delete;

    // --- asking ---

    std::size_t size() const { return dense_.size() - marked_; }
    bool contains(Index index) const { return find(index) < kMark; }

    // The position of the entity; kMark or more when it is not in the set or is pending.
    // Any number may be asked for, a marked slot of dense too: it is not in the set.
    Position find(Index index) const { return sparse_.find(index); }
    // What finds them in a loop: true until the next of changes().
    auto lookup() const { return sparse_.lookup(); }
    // The position of an entity that is in the set, pending or not.
    // requires: it is (verified)
    Position position_of(Index index) const;

    // Whether every slot is an entity of the set: a walk need not look for marks.
    bool is_packed() const { return marked_ == 0; }
    std::size_t slot_count() const { return dense_.size(); }
    // The slots from `first` on, at most `count` and no further than their chunk: an index, or kMark or more.
    // requires: first < slot_count()
    std::span<const Index> slots(std::size_t first, std::size_t count) const {
        return dense_.chunk(first / kSlotsPerChunk).subspan(first % kSlotsPerChunk).first(count);
    }

    // Grows with every insertion, mark, removal and move of a slot, and when a page comes or goes. What was
    // looked up is still true while it is the same.
    unsigned long long changes() const { return changes_; }

    // --- changing ---

    // Makes sure that insert(index) cannot fail.
    // requires: index <= kMaxIndex (verified)      errors: std::bad_alloc, with nothing changed
    void prepare(Index index);
    // Adds an entity at the end.
    // requires: prepare(index), not in the set (verified)
    void insert(Index index);

    // Takes an entity out of find() and walks; it keeps its slot.
    // requires: contains(index) (verified)
    void mark_pending(Index index);

    // Removes an entity, pending or not. The caller removes the component at the same position likewise.
    // Returns the slot that the last one has moved into; kNone when the set is held and the slot stays.
    // requires: position_of(index)      errors: none, also while held
    Position erase(Index index);

    // Exchanges two slots. The caller exchanges the components at these positions likewise.
    // requires: both < slot_count(), not held (verified)
    void swap_slots(Position a, Position b);

    // Removes all. While held it leaves holes, as erase does. Returns whether the slots are gone.
    // cost: O(slots + pages)
    bool clear();

    // --- holding ---

    void hold() { ++holds_; }
    // requires: a hold() to match (verified). After the last one the holder calls close_hole() until nothing
    // is left; is_held() says whether that was the last.
    void release();
    bool is_held() const { return holds_ > 0; }
    // Closes one hole. Returns the slot that the last one has moved into; kNone when there is no hole.
    Position close_hole();

    // Gives back what holds no entity: pages, chunks, spare parts of the tables. No order changes.
    // cost: O(elements of all pages)
    void trim();

    Bytes bytes() const;
    // Aborts unless the invariants hold. cost: O(slots + pages)
    void check_invariants() const;

  private:
    static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};  // in sparse
    static constexpr std::uint32_t kHole = ~std::uint32_t{0};    // in dense
    void note_change() { ++changes_; }
    void make_room(Index index);
    void leave_hole(Index index);
    void note_hole(Position hole) noexcept;
    Position next_hole();
    Position remove_slot(Position position);

    PagedArray<Position, kAbsent> sparse_;
    core::ChunkedArray<Index> dense_;
    core::ChunkedArray<Position, 1024> holes_;
    Position lowest_unnoted_ = kNone;  // of the holes that there was no memory to note
    std::uint32_t marked_ = 0;         // slots that are pending or holes
    std::uint32_t holds_ = 0;
    // Not std::uint64_t, which is another type: components seldom have a long long, so the compiler knows
    // that writing to one does not change the count, and a loop over them need not read it again.
    unsigned long long changes_ = 0;
};

inline SparseSet::Position SparseSet::position_of(Index index) const {
    const Position found = find(index);
    core::verify(found != kAbsent, "SparseSet: the entity is not in the set");
    return found & ~kMark;
}

inline void SparseSet::prepare(Index index) {
    if (!sparse_.has_page(sparse_.page_of(index)) || dense_.size() == dense_.capacity()) [[unlikely]]
        make_room(index);
}

inline void SparseSet::insert(Index index) {
    Position& position = sparse_.writable(index);
    core::verify(position == kAbsent, "SparseSet: the entity is in the set already");
    position = static_cast<Position>(dense_.size());
    dense_.push_back(index);
    note_change();
}

// Inlined by force into the pools' erase(), a virtual call itself.
[[gnu::always_inline]] inline SparseSet::Position SparseSet::erase(Index index) {
    if (is_held()) [[unlikely]] {
        leave_hole(index);
        return kNone;
    }
    Position& entry = sparse_.writable(index);
    const Position was = std::exchange(entry, kAbsent);
    core::verify(was != kAbsent, "SparseSet: the entity is not in the set");
    if (was >= kMark) --marked_;
    return remove_slot(was & ~kMark);
}

// Removes a slot that no entity leads to any more. Returns its position, where the last one is now.
inline SparseSet::Position SparseSet::remove_slot(Position position) {
    const Index moved = dense_.back();
    dense_.remove_at_swap(position);
    if (position < dense_.size()) sparse_.writable(moved & ~kMark) = position | (moved & kMark);
    note_change();
    return position;
}

}  // namespace evertick::ecs
