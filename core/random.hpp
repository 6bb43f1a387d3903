#pragma once
// A small seeded generator: the same seed gives the same numbers on every compiler and machine, which
// std::uniform_real_distribution does not promise. Not for secrets.
// source: Blackman and Vigna, "Scrambled linear pseudorandom number generators" (xoshiro256**, splitmix64)

#include <array>
#include <bit>
#include <cstdint>

#include "core/verify.hpp"

namespace evertick::core {

class Random {
  public:
    explicit constexpr Random(std::uint64_t seed) {
        for (std::uint64_t& word : state_) word = splitmix(seed);
    }

    // Uniform over all 64-bit values. cost: O(1)
    constexpr std::uint64_t next() {
        const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
        const std::uint64_t shifted = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    // Uniform in [0, bound), without bias.
    // requires: bound > 0 (verified)      cost: O(1) expected
    constexpr std::uint64_t below(std::uint64_t bound) {
        verify(bound > 0, "Random::below needs a bound above 0");
        const std::uint64_t reject_under = (0 - bound) % bound;  // 2^64 mod bound
        for (;;)
            if (const std::uint64_t value = next(); value >= reject_under) return value % bound;
    }

    // Uniform in [0, 1): the 53 bits a double can hold.
    constexpr double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

    // Uniform in [low, high); low when they are equal.
    constexpr double between(double low, double high) { return low + (high - low) * unit(); }

    // The whole state, for snapshots.
    using State = std::array<std::uint64_t, 4>;
    constexpr const State& state() const { return state_; }
    constexpr void set_state(const State& state) { state_ = state; }

  private:
    static constexpr std::uint64_t splitmix(std::uint64_t& seed) {
        seed += 0x9e3779b97f4a7c15;
        std::uint64_t z = seed;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }

    State state_{};
};

}  // namespace evertick::core
