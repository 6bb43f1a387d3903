#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>

#include "tests/bench/core/page_faults.hpp"

namespace evertick::bench {

// Page faults of a benchmark's rounds. The first touch of a page costs more than most of what is measured
// here, so every time is shown beside them. Counts from its construction, which belongs after a round that
// warms up.
class RoundCounters {
  public:
    // Adds to the state's counters: faults a round, and objects a round, by which the time is to be divided.
    void report(benchmark::State& state, std::size_t objects_per_round) const {
        const auto faults = static_cast<double>(page_faults() - faults_before_);
        state.counters["faults"] = faults / static_cast<double>(state.iterations());
        state.counters["objects"] = static_cast<double>(objects_per_round);
    }

  private:
    long faults_before_ = page_faults();
};

// Runs what was registered. Returns the exit code.
inline int run_benchmarks(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}

}  // namespace evertick::bench
