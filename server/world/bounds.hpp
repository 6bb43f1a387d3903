#pragma once
// Bounds: the smallest box around some entities. It answers for all of them at once: what it is too far away
// from or does not touch, each of them is and does not.
//
// That holds to the last bit: squared_distance() takes the same steps for the nearest place in the bounds as
// for an entity, with operands that are no larger, and rounding keeps that order.

#include <algorithm>
#include <cstdint>
#include <limits>

#include "server/world/distance.hpp"
#include "server/world/region.hpp"

namespace evertick::world {

struct Bounds {
    static constexpr float kInfinity = std::numeric_limits<float>::infinity();

    // Around nobody.
    Vector3 low{kInfinity, kInfinity, kInfinity};
    Vector3 high{-kInfinity, -kInfinity, -kInfinity};
    std::uint32_t lowest_index = std::numeric_limits<std::uint32_t>::max();  // of the entities inside

    constexpr bool operator==(const Bounds&) const = default;

    constexpr void add(const Vector3& place, std::uint32_t index) {
        low = {std::min(low.x, place.x), std::min(low.y, place.y), std::min(low.z, place.z)};
        high = {std::max(high.x, place.x), std::max(high.y, place.y), std::max(high.z, place.z)};
        lowest_index = std::min(lowest_index, index);
    }
    constexpr void add(const Bounds& other) {
        add(other.low, other.lowest_index);
        add(other.high, other.lowest_index);
    }
};

// The place inside the bounds that is nearest to another.
constexpr Vector3 nearest_in(const Bounds& bounds, const Vector3& to) {
    return {std::min(std::max(bounds.low.x, to.x), bounds.high.x),
            std::min(std::max(bounds.low.y, to.y), bounds.high.y),
            std::min(std::max(bounds.low.z, to.z), bounds.high.z)};
}

// No entity inside the bounds is nearer to the point. In square metres.
constexpr double least_squared_distance(const Vector3& from, const Bounds& to) {
    return squared_distance(from, nearest_in(to, from));
}

// requires: box ordered
constexpr bool overlap(const Box& box, const Bounds& bounds) {
    const auto overlaps = [](float low1, float high1, float low2, float high2) {
        return static_cast<int>(low1 <= high2) & static_cast<int>(low2 <= high1);
    };
    return (overlaps(box.low.x, box.high.x, bounds.low.x, bounds.high.x) &
            overlaps(box.low.y, box.high.y, bounds.low.y, bounds.high.y) &
            overlaps(box.low.z, box.high.z, bounds.low.z, bounds.high.z)) != 0;
}

}  // namespace evertick::world
