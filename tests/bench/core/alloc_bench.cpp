// bench_core_alloc --allocator NAME [GOOGLE BENCHMARK ARGUMENTS]: rounds of allocations of 256 bytes.
// NAME is malloc, new (which a preloaded library replaces), bins, sized_bins, mem_stack or bump.
//     pair       one object, then none
//     batch      10,000 objects, then none
//     hand_over  batches of objects freed on another thread (general-purpose allocators)

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "tests/bench/core/arguments.hpp"
#include "tests/bench/core/bins_subject.hpp"
#include "tests/bench/core/hand_over.hpp"
#include "tests/bench/core/rounds.hpp"
#include "tests/bench/core/subject.hpp"

namespace evertick::bench {
namespace {

constexpr std::size_t kObjectBytes = 256;
constexpr std::size_t kBatch = 10'000;

// An object that nobody writes costs no page.
void* written(void* object) {
    benchmark::DoNotOptimize(object);
    std::memset(object, 1, sizeof(void*));
    return object;
}

template <class Subject>
void pair(benchmark::State& state) {
    Subject subject;
    benchmark::DoNotOptimize(&subject);  // its state lives in memory, as anybody's
    const RoundCounters counters;
    for (auto _ : state) {
        typename Subject::Round round(subject);
        void* const object = written(round.allocate(kObjectBytes));
        round.free(object, kObjectBytes);
    }
    counters.report(state, 1);
}

template <class Subject>
void batch(benchmark::State& state) {
    Subject subject;
    benchmark::DoNotOptimize(&subject);
    std::vector<void*> objects(kBatch);
    const auto round_of_all = [&] {
        typename Subject::Round round(subject);
        for (void*& object : objects) object = written(round.allocate(kObjectBytes));
        for (void* const object : objects) round.free(object, kObjectBytes);
    };
    round_of_all();
    const RoundCounters counters;
    for (auto _ : state) round_of_all();
    counters.report(state, kBatch);
}

template <class Subject>
void hand_over(benchmark::State& state) {
    Subject subject;
    HandOver<Subject> ring(subject);
    ring.produce();
    const RoundCounters counters;
    for (auto _ : state) ring.produce();
    counters.report(state, HandOver<Subject>::kBatch);
}

template <class Subject>
void measure_arena() {
    benchmark::RegisterBenchmark("pair", pair<Subject>);
    benchmark::RegisterBenchmark("batch", batch<Subject>);
}

template <class Subject>
void measure_general() {
    measure_arena<Subject>();
    benchmark::RegisterBenchmark("hand_over", hand_over<Subject>)->UseRealTime();
}

constexpr struct {
    std::string_view name;
    void (*measure)();
} kSubjects[] = {{"malloc", measure_general<Malloc>},      {"new", measure_general<SizedNew>},
                 {"bins", measure_general<Bins>},          {"sized_bins", measure_general<SizedBins>},
                 {"mem_stack", measure_arena<OnMemStack>}, {"bump", measure_arena<OnBump>}};

}  // namespace
}  // namespace evertick::bench

int main(int argc, char** argv) {
    using namespace evertick::bench;
    const std::string_view name = take_argument(argc, argv, "--allocator", "malloc");
    for (const auto& subject : kSubjects) {
        if (subject.name != name) continue;
        subject.measure();
        return run_benchmarks(argc, argv);
    }
    std::fprintf(stderr, "bench_core_alloc: there is no allocator '%s'\n", std::string(name).c_str());
    return 2;
}
