#pragma once
// How long each command takes: LATENCY. A histogram for each, with eight buckets from one power of two to the
// next, so that a percentile is right to an eighth.
//
// cost: noting O(1), without allocation; summing up O(buckets). About 2.5 KiB for each command there is.
// Not thread-safe.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "server/commands/context.hpp"

namespace evertick::commands {

class CommandTimes {
  public:
    CommandTimes();

    // requires: number is a command's place in all_commands()
    void add(std::size_t number, std::chrono::steady_clock::duration spent);
    std::uint64_t calls(std::size_t number) const { return histograms_[number].calls; }
    // shape: all zero while there is none
    Durations summary(std::size_t number) const;
    void clear();

  private:
    static constexpr std::size_t kBucketsPerDoubling = 8;
    static constexpr std::size_t kBuckets = 40 * kBucketsPerDoubling;  // up to 2^40 ns, 18 minutes

    struct Histogram {
        std::uint64_t calls = 0;
        std::uint64_t sum_ns = 0;
        std::uint64_t max_ns = 0;
        std::array<std::uint64_t, kBuckets> counts{};
    };
    static std::size_t bucket_of(std::uint64_t ns);
    static double upper_end_ns(std::size_t bucket);
    static double percentile_ns(const Histogram& histogram, double fraction);

    std::vector<Histogram> histograms_;
};

}  // namespace evertick::commands
