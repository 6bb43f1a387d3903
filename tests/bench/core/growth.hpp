#pragma once

#include <benchmark/benchmark.h>

#include <string>

#include "tests/bench/core/element.hpp"
#include "tests/bench/core/rounds.hpp"

namespace evertick::bench {

// Grows a new container from nothing by push_back, and destroys it.
template <class Container, std::size_t Bytes>
void grow(benchmark::State& state, std::size_t count) {
    const Element<Bytes> value = settled_element<Bytes>();
    const auto round = [count, &value] {
        Container elements;
        for (std::size_t i = 0; i < count; ++i) elements.push_back(value);
        benchmark::DoNotOptimize(elements.data());
        benchmark::ClobberMemory();
    };
    round();
    const RoundCounters counters;
    for (auto _ : state) round();
    counters.report(state, count);
}

// Registers all sizes for one container, Family::Of<T>. Each does it in a file of its own, so that one whose
// package is missing leaves the others measured. Returns true.
template <class Family>
bool register_growth(const std::string& name) {
    const auto add = [&name]<std::size_t Bytes>(std::size_t count) {
        const std::string full = name + "/grow_" + std::to_string(count) + "x" + std::to_string(Bytes);
        using Container = typename Family::template Of<Element<Bytes>>;
        benchmark::RegisterBenchmark(full.c_str(), grow<Container, Bytes>, count);
    };
    add.template operator()<8>(4096);
    add.template operator()<16>(4096);
    add.template operator()<32>(4096);
    add.template operator()<80>(65536);
    return true;
}

}  // namespace evertick::bench
