#include "ecs/sparse_set.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace evertick::ecs {

using core::verify;

void SparseSet::mark_pending(Index index) {
    verify(contains(index), "SparseSet: the entity is not in the set");
    Position& position = sparse_.writable(index);
    dense_[position] |= kMark;
    position |= kMark;
    ++marked_;
    note_change();
}

void SparseSet::make_room(Index index) {
    verify(index <= kMaxIndex, "SparseSet: index too large");
    if (const std::size_t page = sparse_.page_of(index); !sparse_.has_page(page)) {
        note_change();
        sparse_.make_page(page);
    }
    if (dense_.size() == dense_.capacity()) dense_.reserve(dense_.size() + 1);
}

void SparseSet::leave_hole(Index index) {
    const Position position = position_of(index);
    note_hole(position);
    Position& entry = sparse_.writable(index);
    if (entry < kMark) ++marked_;
    entry = kAbsent;
    dense_[position] = kHole;
    note_change();
}

void SparseSet::swap_slots(Position a, Position b) {
    verify(!is_held(), "SparseSet: slots do not move while a view walks them");
    std::swap(dense_.at(a), dense_.at(b));
    for (const Position position : {a, b}) {
        const Index slot = dense_[position];
        sparse_.writable(slot & ~kMark) = position | (slot & kMark);
    }
    note_change();
}

// Removal must not fail: a hole that cannot be noted is looked for when holes are closed.
void SparseSet::note_hole(Position hole) noexcept {
    try {
        holes_.push_back(hole);
    } catch (const std::bad_alloc&) {
        lowest_unnoted_ = std::min(lowest_unnoted_, hole);
    }
}

bool SparseSet::clear() {
    if (is_held()) {
        for (const Index slot : dense_)
            if (slot != kHole) erase(slot & ~kMark);
        return false;
    }
    sparse_.fill_absent();
    dense_.clear();
    marked_ = 0;
    note_change();
    return true;
}

void SparseSet::release() {
    verify(is_held(), "SparseSet: release without a hold");
    --holds_;
}

SparseSet::Position SparseSet::close_hole() {
    const Position hole = next_hole();
    if (hole == kNone) return kNone;
    --marked_;
    return remove_slot(hole);
}

// Holes at the end go first, so that what moves into a hole never is one. Their entries in holes_ are then
// past the end.
SparseSet::Position SparseSet::next_hole() {
    const auto last = [this] { return static_cast<Position>(dense_.size() - 1); };
    const auto ends_in_a_hole = [this] { return !dense_.empty() && dense_.back() == kHole; };
    while (!holes_.empty()) {
        if (ends_in_a_hole()) return last();
        const Position hole = holes_.back();
        holes_.pop_back();
        if (hole < dense_.size()) return hole;
    }
    for (; lowest_unnoted_ < dense_.size(); ++lowest_unnoted_) {
        if (ends_in_a_hole()) return last();
        if (dense_[lowest_unnoted_] == kHole) return lowest_unnoted_;
    }
    lowest_unnoted_ = kNone;
    return kNone;
}

void SparseSet::trim() {
    const auto is_absent = [](Position position) { return position == kAbsent; };
    for (std::size_t page = 0; page < sparse_.page_count(); ++page)
        if (std::ranges::all_of(sparse_.page(page), is_absent)) sparse_.drop_page(page);
    sparse_.shrink_directory();
    dense_.shrink_to_fit();
    holes_.shrink_to_fit();
    note_change();
}

Bytes SparseSet::bytes() const {
    return {.live = dense_.size() * kSlotBytes,
            .reserved = sparse_.allocated_bytes() + dense_.allocated_bytes() + holes_.allocated_bytes()};
}

void SparseSet::check_invariants() const {
    sparse_.check_invariants();
    std::size_t marked = 0;
    std::size_t holes = 0;
    for (Position position = 0; position < dense_.size(); ++position) {
        const Index slot = dense_[position];
        if (slot >= kMark) ++marked;
        if (slot == kHole)
            ++holes;
        else
            verify(find(slot & ~kMark) == (position | (slot & kMark)),
                   "SparseSet: sparse leads back to dense");
    }
    std::size_t present = 0;
    for (std::size_t page = 0; page < sparse_.page_count(); ++page)
        for (const Position position : sparse_.page(page)) present += position != kAbsent ? 1U : 0U;
    verify(present == dense_.size() - holes, "SparseSet: sparse has nothing that dense has not");
    verify(marked == marked_, "SparseSet: marked slots are counted");
    verify(holes == holes_.size() || lowest_unnoted_ != kNone, "SparseSet: every hole is noted");
    verify(holes == 0 || is_held(), "SparseSet: holes only under a hold");
}

}  // namespace evertick::ecs
