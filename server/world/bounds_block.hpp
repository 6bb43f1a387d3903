#pragma once
// BoundsBlock: the bounds of sixteen groups of neighbours, tested all at once. Each answers for all in its
// group: what it is too far away from or does not touch, each of them is and does not. Coordinates have an
// array each, so that one instruction works on several.
//
// That holds to the last bit: a distance takes the same steps as squared_distance() does for an entity
// inside, with operands that are no larger, and rounding keeps that order.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "server/world/bounds.hpp"
#include "server/world/distance.hpp"
#include "server/world/region.hpp"

namespace evertick::world {

class BoundsBlock {
  public:
    static constexpr std::size_t kSize = 16;
    using Distances = std::array<double, kSize>;
    using Bits = std::uint32_t;  // bit i: bounds i

    Bounds operator[](std::size_t i) const {
        return {{low_x_[i], low_y_[i], low_z_[i]}, {high_x_[i], high_y_[i], high_z_[i]}, lowest_index_[i]};
    }
    void set(std::size_t i, const Bounds& bounds) {
        low_x_[i] = bounds.low.x, low_y_[i] = bounds.low.y, low_z_[i] = bounds.low.z;
        high_x_[i] = bounds.high.x, high_y_[i] = bounds.high.y, high_z_[i] = bounds.high.z;
        lowest_index_[i] = bounds.lowest_index;
    }
    std::uint32_t lowest_index(std::size_t i) const { return lowest_index_[i]; }

    // From each of them nobody inside is nearer to the place. In square metres; infinite for bounds of
    // nobody.
    void least_squared_distances(const Vector3& from, Distances& distances) const {
        for (std::size_t i = 0; i < kSize; ++i) {
            const double x = away(from.x, low_x_[i], high_x_[i]);
            const double y = away(from.y, low_y_[i], high_y_[i]);
            const double z = away(from.z, low_z_[i], high_z_[i]);
            distances[i] = x * x + y * y + z * z;
        }
    }
    // Which of them touch the box. requires: box ordered
    Bits overlapping(const Box& box) const {
        std::array<std::int32_t, kSize> overlaps;
        for (std::size_t i = 0; i < kSize; ++i)
            overlaps[i] = static_cast<std::int32_t>(box.low.x <= high_x_[i]) &
                          static_cast<std::int32_t>(low_x_[i] <= box.high.x) &
                          static_cast<std::int32_t>(box.low.y <= high_y_[i]) &
                          static_cast<std::int32_t>(low_y_[i] <= box.high.y) &
                          static_cast<std::int32_t>(box.low.z <= high_z_[i]) &
                          static_cast<std::int32_t>(low_z_[i] <= box.high.z);
        return bits_of([&](std::size_t i) { return overlaps[i] != 0; });
    }

    // Which of the numbers 0 to kSize - 1 pass the test.
    template <class Test>
    static Bits bits_of(Test test) {
        Bits bits = 0;
        for (std::size_t i = 0; i < kSize; ++i) bits |= static_cast<Bits>(test(i)) << i;
        return bits;
    }

  private:
    // From a coordinate to the nearest one between low and high.
    static double away(float from, float low, float high) {
        return static_cast<double>(std::min(std::max(low, from), high)) - static_cast<double>(from);
    }

    template <class T>
    using Each = std::array<T, kSize>;
    Each<float> low_x_, low_y_, low_z_, high_x_, high_y_, high_z_;
    Each<std::uint32_t> lowest_index_;
};

}  // namespace evertick::world
