#pragma once
// Times that systems count down tick by tick.

#include "core/units.hpp"

namespace evertick::systems {

// What is left of a countdown after one tick, in seconds, never below zero. A millionth of a tick counts as
// nothing: thirty times 1/30 s must be one second, whatever rounding left over.
constexpr double counted_down(double remaining_seconds, core::Seconds dt) {
    const double left = remaining_seconds - dt.value;
    return left > dt.value * 1e-6 ? left : 0;
}

}  // namespace evertick::systems
