#pragma once
// The nearest of those that are offered, as many as there is room for: how every answer in the order of
// distance is collected.
//
//     Neighbours nearest(stack, 10);
//     ... nearest.offer({squared_distance, entity}) ...
//     for (const Neighbour& each : nearest.sorted(stack)) ...

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "core/mem_stack.hpp"
#include "ecs/entity.hpp"
#include "server/world/bucket_sort.hpp"

namespace evertick::world {

struct Neighbour {
    double squared_distance;
    ecs::Entity entity;
};

// The order of answers: nearest first, of equals the one with the lower index. No two entities are equal.
struct Nearer {
    constexpr bool operator()(const Neighbour& a, const Neighbour& b) const {
        if (a.squared_distance != b.squared_distance) return a.squared_distance < b.squared_distance;
        return a.entity.index() < b.entity.index();
    }
};

class Neighbours {
  public:
    // Keeps at most so many, and none farther than the root of `most` square metres.
    // requires: a mark on the stack that outlives it
    Neighbours(core::MemStack& stack, std::size_t room, double most = std::numeric_limits<double>::infinity())
        : room_(uninitialised(stack, room)), most_(room == 0 ? -1 : most) {}

    // Whether somebody at that distance, or farther, with that index, or a higher one, would still be kept.
    bool admits(double squared_distance, std::uint32_t index) const {
        return squared_distance < most_ || (squared_distance == most_ && index < end_index_);
    }

    // Nobody farther is admitted; of some at exactly that distance perhaps not all. In square metres.
    double most() const { return most_; }

    // requires: admits(it)     cost: O(1) while there is room, then O(log(room))
    void offer(const Neighbour& neighbour) {
        if (count_ + 1 < room_.size()) [[likely]]
            room_[count_++] = neighbour;
        else
            offer_last(neighbour);
    }

    // In order; offer no more.
    // cost: O(n) for n kept that lie about evenly, O(n log n) at worst
    std::span<const Neighbour> sorted(core::MemStack& stack) {
        bucket_sort(room_.first(count_), stack, &Neighbour::squared_distance, Nearer{});
        return room_.first(count_);
    }

  private:
    // The one that fills the room, and all that come then.
    [[gnu::noinline]] void offer_last(const Neighbour& neighbour) {
        if (count_ < room_.size()) {
            room_[count_++] = neighbour;
            std::ranges::make_heap(room_, Nearer{});  // from now on the farthest kept is in front
        } else {
            std::ranges::pop_heap(room_, Nearer{});
            room_.back() = neighbour;
            std::ranges::push_heap(room_, Nearer{});
        }
        most_ = room_.front().squared_distance;
        end_index_ = room_.front().entity.index();
    }

    // Room is often for many more than come.
    static std::span<Neighbour> uninitialised(core::MemStack& stack, std::size_t count) {
        static_assert(std::is_trivially_copyable_v<Neighbour>);
        void* const memory = stack.allocate(core::array_bytes<Neighbour>(count), alignof(Neighbour));
        return {static_cast<Neighbour*>(memory), count};
    }

    std::span<Neighbour> room_;
    std::size_t count_ = 0;
    double most_;
    std::uint32_t end_index_ = std::numeric_limits<std::uint32_t>::max();  // exclusive, of those at most_
};

}  // namespace evertick::world
