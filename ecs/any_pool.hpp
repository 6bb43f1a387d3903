#pragma once
// AnyPool: the part of a pool that does not depend on its component type: which entities are in it, and what
// a registry does to an entity without knowing what it has.
//
// The pools that a group owns are held together: a hold on one is a hold on all of them.
//
// Errors:     std::bad_alloc, with nothing changed. A broken precondition aborts (verify).
// Threads:    as the standard containers.

#include "ecs/bytes.hpp"
#include "ecs/sparse_set.hpp"

namespace evertick::ecs {

class OwningGroup;

class AnyPool {
  public:
    using Index = SparseSet::Index;
    using Position = SparseSet::Position;

    AnyPool() = default;
    AnyPool(const AnyPool&) = delete;
    AnyPool& operator=(const AnyPool&) = delete;
    virtual ~AnyPool() = default;

    const SparseSet& set() const { return set_; }

    // The entity's component is hidden until it is erased; see SparseSet.
    void mark_pending(Index index) { set_.mark_pending(index); }
    // requires: the entity has one, pending or not (verified)
    virtual void erase(Index index) = 0;
    virtual void clear() = 0;
    // Exchanges two slots, each the entity and its component.
    // requires: the pool is not held (verified)
    virtual void swap_slots(Position a, Position b) = 0;

    virtual bool can_copy() const = 0;
    // Gives the entity `to` a copy of the component of the entity `from`.
    // requires: can_copy(), `from` has one and `to` has none (verified)
    virtual void copy(Index from, Index to) = 0;

    // While held nothing moves: removals leave holes that the last release closes.
    void hold() {
        if (group_ != nullptr) [[unlikely]]
            return hold_group();
        set_.hold();
    }
    void release() {
        if (group_ != nullptr) [[unlikely]]
            return release_group();
        set_.release();
        if (!set_.is_held()) close_holes();
    }

    // The group that owns this pool, or nullptr.
    OwningGroup* group() const { return group_; }

    // Gives back what no entity needs; moves nothing.
    virtual void trim() = 0;
    virtual Bytes bytes() const = 0;
    // What one component takes, with its entity's place in the pool.
    virtual std::size_t component_bytes() const = 0;
    virtual void check_invariants() const = 0;

  protected:
    friend class OwningGroup;

    virtual void close_holes() = 0;
    void hold_group();
    void release_group();

    SparseSet set_;
    OwningGroup* group_ = nullptr;
};

}  // namespace evertick::ecs
