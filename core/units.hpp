#pragma once
// Quantities whose unit is part of their type, so that a tick is never added to a second.

#include <compare>
#include <cstdint>

namespace evertick::core {

// A duration of simulated time.
struct Seconds {
    double value = 0;
    constexpr auto operator<=>(const Seconds&) const = default;
};

// The number of a tick since the world began; 64 bits last 19 billion years at 30 Hz.
using Tick = std::uint64_t;

}  // namespace evertick::core
