#pragma once
// The places that a query may ask for, and what lies in them.

#include <algorithm>
#include <cstdint>
#include <variant>

#include "server/world/distance.hpp"

namespace evertick::world {

struct Near {  // within radius of centre, border included; nearest first
    Vector3 centre;
    float radius;
};
struct Box {  // corners in any order, border included
    Vector3 low, high;
};
struct Nearest {  // the count entities nearest to centre
    Vector3 centre;
    std::uint32_t count;
};
using Region = std::variant<std::monostate, Near, Box, Nearest>;

constexpr double squared_radius(const Near& near) {
    return static_cast<double>(near.radius) * static_cast<double>(near.radius);
}

// The same box, with its lower corner first.
constexpr Box ordered(const Box& box) {
    const auto [x1, x2] = std::minmax({box.low.x, box.high.x});
    const auto [y1, y2] = std::minmax({box.low.y, box.high.y});
    const auto [z1, z2] = std::minmax({box.low.z, box.high.z});
    return {{x1, y1, z1}, {x2, y2, z2}};
}

constexpr bool contains(const Near& near, const Vector3& place) {
    return squared_distance(near.centre, place) <= squared_radius(near);
}
// Whether a value lies between two others; without a branch, as nobody can foretell which way it goes.
constexpr bool between(float value, float low, float high) {
    return (static_cast<int>(low <= value) & static_cast<int>(value <= high)) != 0;
}
// requires: ordered
constexpr bool contains(const Box& box, const Vector3& place) {
    return (static_cast<int>(between(place.x, box.low.x, box.high.x)) &
            static_cast<int>(between(place.y, box.low.y, box.high.y)) &
            static_cast<int>(between(place.z, box.low.z, box.high.z))) != 0;
}

}  // namespace evertick::world
