// bench_core_chunked [--elements N] [GOOGLE BENCHMARK ARGUMENTS]: ChunkedArray beside std::vector, elements
// of 64 bytes. scripts/bench tells malloc to keep what it has, or page faults would be all that is seen.
//     append    into a new container, without reserve
//     reserved  into one that has room
//     walk      over all elements, in order
//     random    all elements, each once, in random order

#include <benchmark/benchmark.h>

#include <numeric>
#include <string>
#include <utility>

#include "core/random.hpp"
#include "tests/bench/core/arguments.hpp"
#include "tests/bench/core/rounds.hpp"
#include "tests/bench/core/walk.hpp"

namespace evertick::bench {
namespace {

constexpr std::size_t kBytes = 64;

template <class Container>
void fill(Container& elements, std::size_t count) {
    const Element<kBytes> value = settled_element<kBytes>();
    for (std::size_t i = 0; i < count; ++i) elements.push_back(value);
    benchmark::DoNotOptimize(elements);
    benchmark::ClobberMemory();
}

template <class Container>
void append(benchmark::State& state, std::size_t count) {
    const auto round = [count] {
        Container elements;
        fill(elements, count);
    };
    round();
    const RoundCounters counters;
    for (auto _ : state) round();
    counters.report(state, count);
}

template <class Container>
void append_reserved(benchmark::State& state, std::size_t count) {
    Container elements;
    elements.reserve(count);
    fill(elements, count);
    const RoundCounters counters;
    for (auto _ : state) {
        elements.clear();
        fill(elements, count);
    }
    counters.report(state, count);
}

template <class Container>
void walk_all(benchmark::State& state, std::size_t count) {
    Container elements;
    fill(elements, count);
    const RoundCounters counters;
    for (auto _ : state) {
        benchmark::DoNotOptimize(elements);
        benchmark::DoNotOptimize(walk(elements));
    }
    counters.report(state, count);
}

std::vector<std::uint32_t> shuffled_indices(std::size_t count) {
    std::vector<std::uint32_t> indices(count);
    std::iota(indices.begin(), indices.end(), 0);
    core::Random random(1);
    for (std::size_t i = count; i > 1; --i) std::swap(indices[i - 1], indices[random.below(i)]);
    return indices;
}

template <class Container>
void random_access(benchmark::State& state, std::size_t count) {
    Container elements;
    fill(elements, count);
    const std::vector<std::uint32_t> indices = shuffled_indices(count);
    const RoundCounters counters;
    for (auto _ : state) {
        benchmark::DoNotOptimize(elements);
        std::uint64_t total = 0;
        for (const std::uint32_t index : indices) total += elements[index].words[0];
        benchmark::DoNotOptimize(total);
    }
    counters.report(state, count);
}

template <class Container>
void measure(const std::string& name, std::size_t count) {
    benchmark::RegisterBenchmark((name + "/append").c_str(), append<Container>, count);
    benchmark::RegisterBenchmark((name + "/reserved").c_str(), append_reserved<Container>, count);
    benchmark::RegisterBenchmark((name + "/walk").c_str(), walk_all<Container>, count);
    benchmark::RegisterBenchmark((name + "/random").c_str(), random_access<Container>, count);
}

}  // namespace
}  // namespace evertick::bench

int main(int argc, char** argv) {
    using namespace evertick::bench;
    const std::size_t count = take_number(argc, argv, "--elements", 1'000'000);
    measure<std::vector<Element<kBytes>>>("std::vector", count);
    measure<evertick::core::ChunkedArray<Element<kBytes>>>("ChunkedArray", count);
    return run_benchmarks(argc, argv);
}
