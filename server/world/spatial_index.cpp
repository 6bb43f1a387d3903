#include "server/world/spatial_index.hpp"

#include <cmath>

#include "core/debug.hpp"
#include "core/verify.hpp"

namespace evertick::world {
namespace {

// Makes the array that long, with anything in it: the old contents are not worth a copy. Takes a little more
// room than needed, and gives back what is far too much.
template <class T>
void renew(core::Array<T>& array, std::size_t count) {
    constexpr std::size_t kNotWorthIt = 32'768 / sizeof(T);
    if (count > array.capacity() || array.capacity() > 2 * count + kNotWorthIt) {
        array.clear();
        array.shrink_to_fit();
        array.reserve(count + count / 8);
    }
    array.resize(count);
}

}  // namespace

void SpatialIndex::touch(ecs::Entity entity) noexcept {
    if (!is_current_) return;
    const std::uint32_t index = entity.index();
    if (touched_.size() == max_changes_ || index / kWordBits >= is_touched_.size()) return invalidate();
    if (is_touched(index)) return;
    is_touched_[index / kWordBits] |= Word{1} << index % kWordBits;
    touched_.push_back(index);
}

void SpatialIndex::refresh(const ecs::Registry& registry, core::MemStack& scratch) {
    const std::size_t placed = registry.count<Position>();
    if (!is_current_ || entries_.size() > placed + max_changes_) rebuild(registry, scratch);
    // Nobody can have come untouched, so with as many as before nobody has gone.
    is_untouched_ = touched_.empty() && entries_.size() == placed;
    if constexpr (core::kDebugBuild) check_invariants(registry);
}

void SpatialIndex::rebuild(const ecs::Registry& registry, core::MemStack& scratch) {
    is_current_ = false;
    renew(entries_, registry.count<Position>());
    order_spatially(registry, entries_, scratch);
    pack();
    forget_changes(registry.index_count());
    ++rebuilds_;
    is_current_ = true;
}

// The boxes of each level around those of the level below.
void SpatialIndex::pack() {
    std::size_t blocks = 0;
    counts_[0] = entries_.size();
    for (top_level_ = 0; counts_[top_level_] > kFanOut; ++top_level_) {
        starts_[top_level_ + 1] = blocks;
        counts_[top_level_ + 1] = (counts_[top_level_] + kFanOut - 1) / kFanOut;
        blocks += (counts_[top_level_ + 1] + kFanOut - 1) / kFanOut;
    }
    renew(blocks_, blocks);
    for (std::size_t level = 1; level <= top_level_; ++level)
        for (std::size_t number = 0; number < counts_[level]; ++number)
            blocks_[starts_[level] + number / kFanOut].set(number % kFanOut, bounds_inside(level, number));
}

Bounds SpatialIndex::bounds_inside(std::size_t level, std::size_t number) const {
    Bounds bounds;
    const Range range = group(level - 1, number);
    for (std::size_t i = range.begin; i < range.end; ++i) {
        if (level == 1)
            bounds.add(entries_[i].place, entries_[i].index);
        else
            bounds.add(box(level - 1, i));
    }
    return bounds;
}

void SpatialIndex::forget_changes(std::size_t slots) {
    const double root = std::sqrt(static_cast<double>(entries_.size()));
    max_changes_ = std::max(kMinChanges, kChangeFactor * static_cast<std::size_t>(root));
    touched_.clear();
    touched_.reserve(max_changes_);
    is_touched_.clear();
    is_touched_.resize((slots + max_changes_) / kWordBits + 1);
}

template <class Reaches>
std::size_t SpatialIndex::bound_where(const Reaches& reaches, std::size_t enough) const {
    std::size_t count = touched_.size();
    each_leaf(top_level_, 0, reaches, [&](Range leaf) {
        count += leaf.end - leaf.begin;
        return count <= enough;
    });
    return count;
}

std::size_t SpatialIndex::bound(const Box& box, std::size_t enough) const {
    return bound_where([&box](const BoundsBlock& boxes) { return boxes.overlapping(box); }, enough);
}

std::size_t SpatialIndex::bound(const Near& near, std::size_t enough) const {
    return bound_where([&near](const BoundsBlock& boxes) { return reached(near, boxes); }, enough);
}

void SpatialIndex::check_invariants(const ecs::Registry& registry) const {
    core::verify(is_current_, "SpatialIndex: made since the last change");
    std::size_t known = 0;
    each_touched(registry, [&](ecs::Entity, const Vector3&) { ++known; });
    for (const Placed& entry : entries_) {
        if (!holds(registry, entry)) continue;
        ++known;
        const Position& now = registry.get<Position>(entry.entity());
        core::verify(now.x == entry.place.x && now.y == entry.place.y && now.z == entry.place.z,
                     "SpatialIndex: everyone who moved was touched");
    }
    core::verify(known == registry.count<Position>(), "SpatialIndex: everyone who came was touched");
    for (std::size_t level = 1; level <= top_level_; ++level) {
        for (std::size_t number = 0; number < counts_[level]; ++number) {
            Bounds twice = box(level, number);
            twice.add(bounds_inside(level, number));
            core::verify(twice == box(level, number), "SpatialIndex: boxes hold what is inside");
        }
    }
}

}  // namespace evertick::world
