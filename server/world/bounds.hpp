#pragma once
// Bounds: the smallest box around some entities. Many are tested at once by a BoundsBlock.

#include <algorithm>
#include <cstdint>
#include <limits>

#include "server/world/distance.hpp"

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

}  // namespace evertick::world
