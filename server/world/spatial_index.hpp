#pragma once
// SpatialIndex: who is where, so that a question about a place costs what it finds and not who exists. It is
// a copy of all positions, put in order (spatial_order.hpp) and packed into a tree of bounding boxes:
//
//     level 2   [box around 16 boxes    ][box around ...]      at most 16 on the top level
//     level 1   [box around 16 entities][box ...][box ...]
//     level 0   [place, entity] [place, entity] ...            the entries: neighbours together
//
// Nothing keeps it up while things move: it is made anew when it is first asked after that, and costs nothing
// while nobody asks. What changes otherwise is told to it:
//
//     invalidate()   everyone may have moved: the next refresh() makes it anew
//     touch(entity)  this one got a position, or a new one: questions read it from the registry
//
// Whoever was destroyed or lost the position need not be told: the registry is asked about those found. When
// the touched, or the entries that lead to nobody, become more than kChangeFactor * sqrt(entities), the next
// refresh() makes it anew.
//
// Invariant: when current, each valid entity with a position is touched, or has one entry that says where it
//            is. Debug builds verify it in every refresh(): forgetting to tell is found at once.
// Exact:     the answers are those of comparing everyone, to the last bit; borders are inside.
// Cost:      for n entities, refresh() is O(1), or O(n) to make it anew; touch() is O(1); a question O(log n)
//            and O(what it finds), and O(sqrt n) more where something changed since.
// Threads:   questions from many, everything else from one.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/array.hpp"
#include "core/mem_stack.hpp"
#include "ecs/registry.hpp"
#include "server/world/bounds.hpp"
#include "server/world/bounds_block.hpp"
#include "server/world/components.hpp"
#include "server/world/neighbours.hpp"
#include "server/world/region.hpp"
#include "server/world/spatial_order.hpp"

namespace evertick::world {

class SpatialIndex {
  public:
    static constexpr std::size_t kFanOut = BoundsBlock::kSize;
    static constexpr std::size_t kChangeFactor = 2;
    static constexpr std::size_t kMinChanges = 64;

    // --- being told ---

    void invalidate() noexcept { is_current_ = false; }
    void touch(ecs::Entity entity) noexcept;

    // Makes it answer for the registry as it is.
    // errors: std::bad_alloc; the next one tries again
    void refresh(const ecs::Registry& registry, core::MemStack& scratch);

    // --- questions ---
    // All require a refresh() since the last change, also since the last destruction.

    // Calls visit(entity) for everyone inside, in no order worth knowing.
    // requires: box ordered
    template <class Visit>
    void each_in(const ecs::Registry& registry, const Box& box, Visit visit) const {
        each_where(
            registry, [&box](const BoundsBlock& boxes) { return boxes.overlapping(box); },
            [&box](const Vector3& place) { return contains(box, place); }, visit);
    }
    template <class Visit>
    void each_in(const ecs::Registry& registry, const Near& near, Visit visit) const {
        each_where(
            registry, [&near](const BoundsBlock& boxes) { return reached(near, boxes); },
            [&near](const Vector3& place) { return contains(near, place); }, visit);
    }

    // Offers to `kept` everyone it admits whom accept(entity) accepts, the nearest to the centre more or less
    // first.
    // cost: O(log n) + O(those nearer than the farthest kept in the end)
    template <class Accept>
    void find_nearest(const ecs::Registry& registry, const Vector3& centre, Neighbours& kept,
                      Accept accept) const;

    // How many may be inside, at most; whatever is more than `enough` may be any number over it.
    // requires: box ordered      cost: O(log n) + O(min(result, enough) / kFanOut)
    std::size_t bound(const Box& box, std::size_t enough) const;
    std::size_t bound(const Near& near, std::size_t enough) const;

    // --- memory ---

    // 22 bytes for each entity with a position and up to an eighth more; at most twice that after many are
    // gone; and a bit for each slot of the registry.
    std::size_t allocated_bytes() const {
        return entries_.allocated_bytes() + blocks_.allocated_bytes() + touched_.allocated_bytes() +
               is_touched_.allocated_bytes();
    }
    // How often it was made anew.
    std::uint64_t rebuilds() const { return rebuilds_; }

    // Aborts unless the invariant holds for the registry. cost: O(n)
    void check_invariants(const ecs::Registry& registry) const;

  private:
    static constexpr std::size_t kMaxLevels = 8;  // 16^8 is every index there is
    using Word = std::uint64_t;
    static constexpr std::size_t kWordBits = 64;

    using Bits = BoundsBlock::Bits;

    // Neighbours in the array of a level.
    struct Range {
        std::size_t begin, end;
    };

    static Bits reached(const Near& near, const BoundsBlock& boxes) {
        BoundsBlock::Distances distances;
        boxes.least_squared_distances(near.centre, distances);
        return BoundsBlock::bits_of([&](std::size_t i) { return distances[i] <= squared_radius(near); });
    }

    // Group `number` of a level: what one box of the level above is around.
    Range group(std::size_t level, std::size_t number) const {
        return {number * kFanOut, std::min((number + 1) * kFanOut, counts_[level])};
    }
    const BoundsBlock& block(std::size_t level, std::size_t number) const {
        return blocks_[starts_[level] + number];
    }
    // Those of a block that are boxes: the last of a level may have fewer.
    Bits present(std::size_t level, std::size_t number) const {
        const Range boxes = group(level, number);
        return (Bits{1} << (boxes.end - boxes.begin)) - 1;
    }
    Bounds box(std::size_t level, std::size_t number) const {
        return block(level, number / kFanOut)[number % kFanOut];
    }

    bool is_touched(std::uint32_t index) const {
        return (is_touched_[index / kWordBits] >> index % kWordBits & 1U) != 0;
    }
    // Which of a range pass the test, as bits: all are tested before anything is done with one, and so
    // without branches that nobody can foretell.
    template <class Test>
    static std::uint32_t bits_of(Range range, Test test) {
        std::uint32_t bits = 0;
        for (std::size_t i = range.begin; i < range.end; ++i)
            bits |= static_cast<std::uint32_t>(test(i)) << (i - range.begin);
        return bits;
    }
    template <class Visit>
    static void each_bit(std::uint32_t bits, Visit visit) {
        for (; bits != 0; bits &= bits - 1) visit(static_cast<std::size_t>(std::countr_zero(bits)));
    }

    // Whether an entry still says the truth: it does not when its entity was touched, is gone, or has no
    // position any more.
    bool holds(const ecs::Registry& registry, const Placed& entry) const {
        if (is_untouched_) return true;
        return !is_touched(entry.index) && registry.has<Position>(entry.entity());
    }

    // Calls visit(entity, place) for each touched one that has a position.
    template <class Visit>
    void each_touched(const ecs::Registry& registry, Visit visit) const {
        for (const std::uint32_t index : touched_) {
            const ecs::Entity entity = registry.entity_at(index);
            if (const Position* const position = registry.try_get<Position>(entity))
                visit(entity, point(*position));
        }
    }

    template <class Reaches, class Contains, class Visit>
    void each_where(const ecs::Registry& registry, Reaches reaches, Contains contains, Visit visit) const {
        each_touched(registry, [&](ecs::Entity entity, const Vector3& place) {
            if (contains(place)) visit(entity);
        });
        each_leaf(top_level_, 0, reaches, [&](Range leaf) {
            each_bit(bits_of(leaf, [&](std::size_t i) { return contains(entries_[i].place); }),
                     [&](std::size_t bit) {
                         const Placed& entry = entries_[leaf.begin + bit];
                         if (holds(registry, entry)) visit(entry.entity());
                     });
            return true;
        });
    }

    // Calls visit(range of entries) for each lowest box in the group that is reached, until it returns false.
    template <class Reaches, class Visit>
    bool each_leaf(std::size_t level, std::size_t number, const Reaches& reaches, const Visit& visit) const;

    template <class Accept>
    void descend(const ecs::Registry& registry, std::size_t level, std::size_t number, const Vector3& centre,
                 Neighbours& kept, const Accept& accept) const;
    template <class Accept>
    void offer_entries(const ecs::Registry& registry, Range range, const Vector3& centre, Neighbours& kept,
                       const Accept& accept) const;
    template <class Reaches>
    std::size_t bound_where(const Reaches& reaches, std::size_t enough) const;

    void rebuild(const ecs::Registry& registry, core::MemStack& scratch);
    void pack();
    Bounds bounds_inside(std::size_t level, std::size_t number) const;
    void forget_changes(std::size_t slots);

    core::Array<Placed> entries_;
    core::Array<BoundsBlock> blocks_;  // level by level, from 1 on
    // By level: where it begins in blocks_, and how many entries or boxes it has.
    std::array<std::size_t, kMaxLevels> starts_{}, counts_{};
    std::size_t top_level_ = 0;
    core::Array<std::uint32_t> touched_;  // indices, each once; at most max_changes_
    core::Array<Word> is_touched_;        // a bit for each index there was, and some more
    std::size_t max_changes_ = 0;
    std::uint64_t rebuilds_ = 0;
    bool is_current_ = false;
    bool is_untouched_ = false;  // every entry holds
};

template <class Accept>
void SpatialIndex::find_nearest(const ecs::Registry& registry, const Vector3& centre, Neighbours& kept,
                                Accept accept) const {
    each_touched(registry, [&](ecs::Entity entity, const Vector3& place) {
        const double distance = squared_distance(centre, place);
        if (kept.admits(distance, entity.index()) && accept(entity)) kept.offer({distance, entity});
    });
    descend(registry, top_level_, 0, centre, kept, accept);
}

template <class Reaches, class Visit>
bool SpatialIndex::each_leaf(std::size_t level, std::size_t number, const Reaches& reaches,
                             const Visit& visit) const {
    if (level == 0) return visit(group(0, number));
    Bits reached = reaches(block(level, number)) & present(level, number);
    for (; reached != 0; reached &= reached - 1) {
        const std::size_t next = number * kFanOut + static_cast<std::size_t>(std::countr_zero(reached));
        if (!each_leaf(level - 1, next, reaches, visit)) return false;
    }
    return true;
}

// The nearest box first: it narrows down what is still admitted in the others.
template <class Accept>
void SpatialIndex::descend(const ecs::Registry& registry, std::size_t level, std::size_t number,
                           const Vector3& centre, Neighbours& kept, const Accept& accept) const {
    if (level == 0) return offer_entries(registry, group(0, number), centre, kept, accept);
    const BoundsBlock& boxes = block(level, number);
    BoundsBlock::Distances distances;
    boxes.least_squared_distances(centre, distances);
    Bits reached = present(level, number) &
                   BoundsBlock::bits_of([&](std::size_t i) { return distances[i] <= kept.most(); });
    while (reached != 0) {
        auto next = static_cast<std::size_t>(std::countr_zero(reached));
        each_bit(reached, [&](std::size_t bit) { next = distances[bit] < distances[next] ? bit : next; });
        if (distances[next] > kept.most()) return;
        reached &= ~(Bits{1} << next);
        if (kept.admits(distances[next], boxes.lowest_index(next)))
            descend(registry, level - 1, number * kFanOut + next, centre, kept, accept);
    }
}

template <class Accept>
void SpatialIndex::offer_entries(const ecs::Registry& registry, Range range, const Vector3& centre,
                                 Neighbours& kept, const Accept& accept) const {
    std::array<double, kFanOut> distances;
    const std::uint32_t near = bits_of(range, [&](std::size_t i) {
        const double distance = squared_distance(centre, entries_[i].place);
        distances[i - range.begin] = distance;
        return distance <= kept.most();
    });
    each_bit(near, [&](std::size_t bit) {
        const Placed& entry = entries_[range.begin + bit];
        const double distance = distances[bit];
        if (kept.admits(distance, entry.index) && holds(registry, entry) && accept(entry.entity()))
            kept.offer({distance, entry.entity()});
    });
}

}  // namespace evertick::world
