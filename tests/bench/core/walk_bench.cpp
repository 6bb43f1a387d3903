// bench_core_walk_o2, bench_core_walk_o3 [--elements N] [GOOGLE BENCHMARK ARGUMENTS]: walks over small
// elements. This one file is compiled at -O2 and at -O3, which vectorise differently.

#include <benchmark/benchmark.h>

#include <string>

#include "tests/bench/core/arguments.hpp"
#include "tests/bench/core/rounds.hpp"
#include "tests/bench/core/walk.hpp"

namespace evertick::bench {
namespace {

template <class Container, std::size_t Bytes>
void walk_all(benchmark::State& state, std::size_t count) {
    Container elements;
    for (std::size_t i = 0; i < count; ++i) elements.push_back(element<Bytes>(i));
    const RoundCounters counters;
    for (auto _ : state) {
        benchmark::DoNotOptimize(elements);
        benchmark::DoNotOptimize(walk(elements));
    }
    counters.report(state, count);
}

template <std::size_t Bytes>
void measure(std::size_t count) {
    const std::string name = "/walk_" + std::to_string(Bytes);
    benchmark::RegisterBenchmark(("std::vector" + name).c_str(), walk_all<std::vector<Element<Bytes>>, Bytes>,
                                 count);
    benchmark::RegisterBenchmark(("ChunkedArray" + name).c_str(),
                                 walk_all<core::ChunkedArray<Element<Bytes>>, Bytes>, count);
}

}  // namespace
}  // namespace evertick::bench

int main(int argc, char** argv) {
    using namespace evertick::bench;
    const std::size_t count = take_number(argc, argv, "--elements", 1'000'000);
    measure<4>(count);
    measure<8>(count);
    measure<16>(count);
    return run_benchmarks(argc, argv);
}
