#include "ecs/owning_group.hpp"

#include <algorithm>
#include <utility>

#include "core/verify.hpp"

namespace evertick::ecs {

using core::verify;

void AnyPool::hold_group() { group_->hold(); }
void AnyPool::release_group() { group_->release(); }

OwningGroup::OwningGroup(ComponentMask types, std::vector<AnyPool*> pools)
    : types_(types), pools_(std::move(pools)) {
    verify(pools_.size() >= 2, "OwningGroup: two or more types make a group");
    for (const AnyPool* pool : pools_) {
        verify(pool->group_ == nullptr, "OwningGroup: a type is in one group at most");
        verify(!pool->set_.is_held(), "OwningGroup: made while a view walks one of its pools");
    }
    for (AnyPool* pool : pools_) pool->group_ = this;
    const SparseSet& smallest =
        (*std::ranges::min_element(pools_, {}, [](const AnyPool* pool) { return pool->set_.size(); }))->set_;
    for (std::size_t position = 0; position < smallest.slot_count(); ++position) {
        const Index index = smallest.slots(position, 1).front();  // joining moves nobody from further on
        if (index < SparseSet::kMark && matches(index)) join(index);
    }
}

bool OwningGroup::is_member(Position position) const {
    const Index index = at(position);
    return index < SparseSet::kMark &&
           std::ranges::all_of(
               pools_, [=](const AnyPool* pool) { return pool->set_.slots(position, 1).front() == index; });
}

void OwningGroup::prepare(std::size_t leaving) {
    if (!is_held()) return;
    gaps_.reserve(gaps_.size() + leaving);
    joining_.reserve(joining_.size() + 1);
}

void OwningGroup::join(Index index) {
    if (is_held())
        joining_.push_back(index);
    else
        move_to(index, static_cast<Position>(slot_count_++));
}

void OwningGroup::leave(Index index) {
    const Position position = find_member(index);
    if (position >= slot_count_) return;
    if (is_held())
        gaps_.push_back({.position = position, .successor = 0});
    else
        swap_slots(position, static_cast<Position>(--slot_count_));
}

void OwningGroup::erase(AnyPool& pool, Index index) {
    const Position position = find_member(index);
    if (!is_held() || position >= slot_count_) {
        leave(index);
        return pool.erase(index);
    }
    prepare();
    pool.erase(index);
    gaps_.push_back({.position = position, .successor = 0});
}

void OwningGroup::clear() {
    if (!is_held()) {
        slot_count_ = 0;
        return;
    }
    for (Position position = 0; position < slot_count_; ++position)
        if (is_member(position)) gaps_.push_back({.position = position, .successor = 0});
}

void OwningGroup::swap_slots(Position a, Position b) {
    if (a == b) return;
    for (AnyPool* pool : pools_) pool->swap_slots(a, b);
}

void OwningGroup::hold() {
    for (AnyPool* pool : pools_) pool->set_.hold();
}

void OwningGroup::release() {
    for (AnyPool* pool : pools_) pool->set_.release();
    if (!is_held()) settle();
}

void OwningGroup::trim() {
    gaps_.shrink_to_fit();
    joining_.shrink_to_fit();
}

Bytes OwningGroup::bytes() const {
    return {.live = gaps_.size() * sizeof(Gap) + joining_.size() * sizeof(Index),
            .reserved = gaps_.allocated_bytes() + joining_.allocated_bytes()};
}

void OwningGroup::check_invariants() const {
    std::size_t members = 0;
    for (Position position = 0; position < slot_count_; ++position) members += is_member(position) ? 1U : 0U;
    verify(members == size(), "OwningGroup: every slot is a member's or a gap");
    if (is_held()) return;
    verify(gaps_.empty() && joining_.empty(), "OwningGroup: nobody waits without a hold");
    for (auto position = static_cast<Position>(slot_count_); position < pools_.front()->set_.slot_count();
         ++position) {
        const Index index = at(position);
        verify(index >= SparseSet::kMark || !matches(index), "OwningGroup: who is in every pool is a member");
    }
}

bool OwningGroup::matches(Index index) const {
    return std::ranges::all_of(pools_, [=](const AnyPool* pool) { return pool->set_.contains(index); });
}

OwningGroup::Position OwningGroup::find_member(Index index) const {
    const Position position = pools_.front()->set_.find(index);
    return position < slot_count_ && is_member(position) ? position : SparseSet::kMark;
}

void OwningGroup::move_to(Index index, Position position) {
    for (AnyPool* pool : pools_) {
        const Position now = pool->set_.find(index);
        if (now != position) pool->swap_slots(now, position);
    }
}

// Members at the end are to fill the gaps among the first size() positions: there are as many.
// requires: the holes of the pools are not closed yet
void OwningGroup::choose_successors() {
    auto last = static_cast<Position>(size());
    for (Gap& gap : gaps_) {
        if (gap.position >= size()) continue;
        while (!is_member(last)) ++last;
        gap.successor = at(last++);
    }
}

// After the last release: first the pools are packed, then the members in them.
void OwningGroup::settle() {
    choose_successors();
    for (AnyPool* pool : pools_) pool->close_holes();
    slot_count_ = size();
    for (const Gap& gap : gaps_)
        if (gap.position < slot_count_) move_to(gap.successor, gap.position);
    gaps_.clear();
    for (const Index index : joining_)
        if (matches(index) && pools_.front()->set_.find(index) >= slot_count_) join(index);
    joining_.clear();
}

}  // namespace evertick::ecs
