#pragma once
// OwningGroup: keeps the entities that have all of several types side by side in the pools of those types:
// they are at the first positions of each, in the same order, so that walking them needs no lookup. The
// registry tells it what comes and goes; ecs/group.hpp is how it is walked.
//
//     pool A   [ 7 3 9 | 4 1 ]      members 7, 3, 9; 4 and 1 have no B
//     pool B   [ 7 3 9 | 5 ]
//
// While one of its pools is held all of them are, and nothing moves: a member that leaves is a gap, one that
// comes to match waits. The last release fills the gaps, then lets in those that still match.
//
// Invariants: a pool is in one group at most. Without a hold an entity is in every pool of the group if and
//             only if it is a member, and positions 0 to size() are the members.
// Order:      members as they joined, except that the last one takes the place of one that left.
// Cost:       joining and leaving O(types): each moves one component of each type.
// Errors:     prepare() throws std::bad_alloc, with nothing changed; then join() and leave() do not.
// Threads:    as the standard containers.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/chunked_array.hpp"
#include "ecs/any_pool.hpp"
#include "ecs/bytes.hpp"
#include "ecs/component_id.hpp"
#include "ecs/sparse_set.hpp"

namespace evertick::ecs {

class OwningGroup {
  public:
    using Index = SparseSet::Index;
    using Position = SparseSet::Position;

    // Takes the pools of these types, and in whoever is in all of them, in the order of the smallest pool.
    // requires: two or more pools; no group has one of them, and none is held (verified)
    OwningGroup(ComponentMask types, std::vector<AnyPool*> pools);
    OwningGroup(const OwningGroup&) = delete;
    OwningGroup& operator=(const OwningGroup&) = delete;

    ComponentMask types() const { return types_; }
    // How many members there are.
    std::size_t size() const { return slot_count_ - gaps_.size(); }
    // The positions to walk. Each is a member's, or a gap.
    std::size_t slot_count() const { return slot_count_; }
    bool has_gaps() const { return !gaps_.empty(); }
    // requires: position < slot_count()
    bool is_member(Position position) const;

    // Makes sure that one join(), or so many leave(), cannot fail.
    void prepare(std::size_t leaving = 1);
    // requires: prepare(), the entity is in every pool and no member
    void join(Index index);
    // Takes the entity out, if it is a member, before it loses a component or is marked pending.
    // requires: prepare()
    void leave(Index index);
    // Removes the entity's component from that pool; it leaves the group.
    // errors: std::bad_alloc, with nothing changed; none unless it is a member and held
    void erase(AnyPool& pool, Index index);
    // All members leave, before the pools are cleared.
    // requires: prepare(size())
    void clear();

    // Exchanges two members, or two others, in every pool.
    // requires: not held
    void swap_slots(Position a, Position b);

    void hold();
    // requires: a hold() to match (verified)
    void release();
    bool is_held() const { return pools_.front()->set().is_held(); }

    void trim();
    Bytes bytes() const;
    // Aborts unless the invariants hold. cost: O(slots)
    void check_invariants() const;

  private:
    // Where a member was, and which one is to move there.
    struct Gap {
        Position position;
        Index successor;
    };

    bool matches(Index index) const;
    Index at(Position position) const { return pools_.front()->set().slots(position, 1).front(); }
    // Where the member is; slot_count() or more when it is none.
    Position find_member(Index index) const;
    void move_to(Index index, Position position);
    void choose_successors();
    void settle();

    ComponentMask types_;
    std::vector<AnyPool*> pools_;
    std::size_t slot_count_ = 0;
    core::ChunkedArray<Gap, 4096> gaps_;       // made during a hold
    core::ChunkedArray<Index, 4096> joining_;  // may match at the end of the hold
};

}  // namespace evertick::ecs
