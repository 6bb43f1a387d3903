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
//             1,024 indices below it. Pages are kept until the set is destroyed.
// Threads:    as the standard containers.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/chunked_array.hpp"
#include "ecs/bytes.hpp"

namespace evertick::ecs {

class SparseSet {
  public:
    using Index = std::uint32_t;     // of an entity
    using Position = std::uint32_t;  // in dense

    // Positions and indices stay below; a value from here on says "not here".
    static constexpr std::uint32_t kMark = std::uint32_t{1} << 31;
    static constexpr std::uint32_t kMaxIndex = kMark - 2;
    static constexpr std::size_t kSlotsPerChunk = core::ChunkedArray<Index>::kElementsPerChunk;

    SparseSet() = default;
    SparseSet(const SparseSet&) = delete;
    SparseSet& operator=(const SparseSet&) = delete;

    // --- asking ---

    std::size_t size() const { return dense_.size() - marked_; }
    bool contains(Index index) const { return find(index) < kMark; }

    // The position of the entity; kMark or more when it is not in the set or is pending.
    Position find(Index index) const {
        const std::size_t page = index >> kPageShift;
        return page < directory_.size() ? (*directory_[page])[index & kPageMask] : kAbsent;
    }
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
    // Returns the slot that the last one has moved into; nothing when the set is held and the slot stays.
    // requires: position_of(index)      errors: std::bad_alloc while held, with nothing changed
    std::optional<Position> erase(Index index);

    // Removes all. While held it leaves holes, as erase does. Returns whether the slots are gone.
    // cost: O(slots + pages)
    bool clear();

    // --- holding ---

    void hold() { ++holds_; }
    // requires: a hold() to match (verified). After the last one the holder calls close_hole() until nothing
    // is left; is_held() says whether that was the last.
    void release();
    bool is_held() const { return holds_ > 0; }
    // Closes one hole. Returns the slot that the last one has moved into; nothing when there is no hole.
    std::optional<Position> close_hole();

    Bytes bytes() const;
    // Aborts unless the invariants hold. cost: O(slots + pages)
    void check_invariants() const;

  private:
    static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};  // in sparse
    static constexpr std::uint32_t kHole = ~std::uint32_t{0};    // in dense
    static constexpr int kPageShift = 10;
    static constexpr std::uint32_t kPageSize = 1U << kPageShift;
    static constexpr std::uint32_t kPageMask = kPageSize - 1;
    using Page = std::array<Position, kPageSize>;

    static constexpr Page absent_page() {
        Page page{};
        page.fill(kAbsent);
        return page;
    }
    // Stands in for every page that has no entity, so that a lookup need not ask whether there is one.
    static const Page kAbsentPage;

    // requires: prepare(index)
    Position& sparse(Index index);
    Position remove_slot(std::size_t hole);

    std::vector<const Page*> directory_;  // to kAbsentPage or into pages_
    core::ChunkedArray<Page> pages_;
    core::ChunkedArray<Index> dense_;
    core::ChunkedArray<Position, 1024> holes_;
    std::uint32_t marked_ = 0;  // slots that are pending or holes
    std::uint32_t holds_ = 0;
};

}  // namespace evertick::ecs
