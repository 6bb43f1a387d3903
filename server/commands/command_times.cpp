#include "server/commands/command_times.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "server/commands/table.hpp"

namespace evertick::commands {

CommandTimes::CommandTimes() : histograms_(all_commands().size()) {}

void CommandTimes::add(std::size_t number, std::chrono::steady_clock::duration spent) {
    const auto count = std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count();
    const auto ns = static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
    Histogram& histogram = histograms_[number];
    ++histogram.calls;
    histogram.sum_ns += ns;
    histogram.max_ns = std::max(histogram.max_ns, ns);
    ++histogram.counts[bucket_of(ns)];
}

Durations CommandTimes::summary(std::size_t number) const {
    const Histogram& histogram = histograms_[number];
    if (histogram.calls == 0) return {};
    return {.mean = static_cast<double>(histogram.sum_ns) / static_cast<double>(histogram.calls) * 1e-9,
            .p50 = percentile_ns(histogram, 0.50) * 1e-9,
            .p99 = percentile_ns(histogram, 0.99) * 1e-9,
            .max = static_cast<double>(histogram.max_ns) * 1e-9};
}

void CommandTimes::clear() { std::ranges::fill(histograms_, Histogram{}); }

// The power of two and the three bits after it.
std::size_t CommandTimes::bucket_of(std::uint64_t ns) {
    if (ns < kBucketsPerDoubling) return static_cast<std::size_t>(ns);
    const auto doubling = static_cast<std::size_t>(std::bit_width(ns)) - 3;  // 1 for 8..15
    const std::size_t step = (ns >> (doubling - 1)) & (kBucketsPerDoubling - 1);
    return std::min(doubling * kBucketsPerDoubling + step, kBuckets - 1);
}

double CommandTimes::upper_end_ns(std::size_t bucket) {
    if (bucket < kBucketsPerDoubling) return static_cast<double>(bucket);
    const std::size_t doubling = bucket / kBucketsPerDoubling;
    const std::size_t step = bucket % kBucketsPerDoubling;
    const std::uint64_t beyond = (kBucketsPerDoubling + step + 1) << (doubling - 1);
    return static_cast<double>(beyond - 1);
}

double CommandTimes::percentile_ns(const Histogram& histogram, double fraction) {
    const auto wanted =
        static_cast<std::uint64_t>(std::ceil(static_cast<double>(histogram.calls) * fraction));
    std::uint64_t seen = 0;
    for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
        seen += histogram.counts[bucket];
        if (seen >= wanted) return std::min(upper_end_ns(bucket), static_cast<double>(histogram.max_ns));
    }
    return static_cast<double>(histogram.max_ns);
}

}  // namespace evertick::commands
