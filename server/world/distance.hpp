#pragma once
// Distances in double: the square of a distance across the world is past what a float tells apart.

#include "server/world/components.hpp"

namespace evertick::world {

struct Vector3 {
    float x = 0, y = 0, z = 0;

    constexpr bool operator==(const Vector3&) const = default;
};

constexpr Vector3 point(const Position& position) { return {position.x, position.y, position.z}; }

// In square metres.
constexpr double squared_distance(const Vector3& a, const Vector3& b) {
    const double x = static_cast<double>(b.x) - static_cast<double>(a.x);
    const double y = static_cast<double>(b.y) - static_cast<double>(a.y);
    const double z = static_cast<double>(b.z) - static_cast<double>(a.z);
    return x * x + y * y + z * z;
}

}  // namespace evertick::world
