#include "ecs/sparse_set.hpp"

#include "core/verify.hpp"

namespace evertick::ecs {

using core::verify;

constexpr SparseSet::Page SparseSet::kAbsentPage = absent_page();

SparseSet::Position SparseSet::position_of(Index index) const {
    const std::size_t page = index >> kPageShift;
    const Position found = page < directory_.size() ? (*directory_[page])[index & kPageMask] : kAbsent;
    verify(found != kAbsent, "SparseSet: the entity is not in the set");
    return found & ~kMark;
}

void SparseSet::prepare(Index index) {
    verify(index <= kMaxIndex, "SparseSet: index too large");
    const std::size_t page = index >> kPageShift;
    if (page >= directory_.size()) directory_.resize(page + 1, &kAbsentPage);
    if (directory_[page] == &kAbsentPage) {
        pages_.push_back(kAbsentPage);
        directory_[page] = &pages_.back();
    }
    dense_.reserve(dense_.size() + 1);
}

void SparseSet::insert(Index index) {
    Position& position = sparse(index);
    verify(position == kAbsent, "SparseSet: the entity is in the set already");
    position = static_cast<Position>(dense_.size());
    dense_.push_back(index);
}

void SparseSet::mark_pending(Index index) {
    Position& position = sparse(index);
    verify(position < kMark, "SparseSet: the entity is not in the set");
    dense_[position] |= kMark;
    position |= kMark;
    ++marked_;
}

std::optional<SparseSet::Position> SparseSet::erase(Index index) {
    const Position position = position_of(index);
    if (is_held()) holes_.push_back(position);
    Position& entry = sparse(index);
    if (entry < kMark) ++marked_;
    entry = kAbsent;
    dense_[position] = kHole;
    if (is_held()) return std::nullopt;
    return remove_slot(position);
}

bool SparseSet::clear() {
    if (is_held()) {
        for (const Index slot : dense_)
            if (slot != kHole) erase(slot & ~kMark);
        return false;
    }
    for (const std::span<Page> pages : pages_.chunks()) std::ranges::fill(pages, kAbsentPage);
    dense_.clear();
    marked_ = 0;
    return true;
}

void SparseSet::release() {
    verify(is_held(), "SparseSet: release without a hold");
    --holds_;
}

std::optional<SparseSet::Position> SparseSet::close_hole() {
    while (!holes_.empty()) {
        // Holes at the end go first, so that what moves into a hole never is one. Their entries in holes_
        // are then past the end.
        if (!dense_.empty() && dense_.back() == kHole) return remove_slot(dense_.size() - 1);
        const Position position = holes_.back();
        holes_.pop_back();
        if (position < dense_.size()) return remove_slot(position);
    }
    return std::nullopt;
}

Bytes SparseSet::bytes() const {
    return {.live = dense_.size() * (sizeof(Index) + sizeof(Position)),
            .reserved = directory_.capacity() * sizeof(const Page*) + pages_.allocated_bytes() +
                        dense_.allocated_bytes() + holes_.allocated_bytes()};
}

void SparseSet::check_invariants() const {
    std::size_t marked = 0;
    std::size_t holes = 0;
    for (Position position = 0; position < dense_.size(); ++position) {
        const Index slot = dense_[position];
        if (slot >= kMark) ++marked;
        if (slot == kHole)
            ++holes;
        else
            verify((*directory_.at((slot & ~kMark) >> kPageShift))[slot & kPageMask] ==
                       (position | (slot & kMark)),
                   "SparseSet: sparse leads back to dense");
    }
    std::size_t present = 0;
    for (const Page* page : directory_)
        for (const Position position : *page) present += position != kAbsent ? 1U : 0U;
    verify(present == dense_.size() - holes, "SparseSet: sparse has nothing that dense has not");
    verify(marked == marked_, "SparseSet: marked slots are counted");
    verify(holes == holes_.size() && (holes == 0 || is_held()), "SparseSet: holes only under a hold");
}

SparseSet::Position& SparseSet::sparse(Index index) {
    const Page* const page = directory_[index >> kPageShift];
    verify(page != &kAbsentPage, "SparseSet: insert needs prepare");
    return const_cast<Page&>(*page)[index & kPageMask];  // one of pages_, which are ours to write
}

// Removes a hole. Returns its position, where the last one is now.
SparseSet::Position SparseSet::remove_slot(std::size_t hole) {
    const auto position = static_cast<Position>(hole);
    const Index moved = dense_.back();
    dense_.remove_at_swap(position);
    if (position < dense_.size()) sparse(moved & ~kMark) = position | (moved & kMark);
    --marked_;
    return position;
}

}  // namespace evertick::ecs
