// bench_core_memory --workload NAME --allocator NAME [--live N] [--operations N]: what the process occupies,
// less what it did before the work, as a multiple of the bytes asked for. One JSON figure a line:
// {"what","figure","unit"}. Workloads:
//     churn      live objects of 16 to 2,048 bytes are exchanged while their sizes go from mostly large by
//                uniform to mostly small, five times; figures after the second and the fifth time
//     free       90 % of the objects are freed at random
//     hand_over  objects are freed on another thread; how much the process grew after the first tenth

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/random.hpp"
#include "tests/bench/core/arguments.hpp"
#include "tests/bench/core/bins_subject.hpp"
#include "tests/bench/core/crowd.hpp"
#include "tests/bench/core/hand_over.hpp"
#include "tests/bench/core/page_faults.hpp"
#include "tests/bench/core/resident.hpp"

namespace evertick::bench {
namespace {

constexpr std::size_t kCycles = 5;
constexpr std::size_t kEarlyCycles = 2;
constexpr std::array kPhases = {kLargeHeavy, kUniform, kSmallHeavy};
// The server whose hours this is: 10,000 born and dead a second, 30 ticks, by whose clock memory is given
// back.
constexpr std::size_t kOperationsPerTick = 333;
constexpr std::chrono::microseconds kTick{33'333};
constexpr std::size_t kTicksPerSample = 30;
constexpr double kMebibyte = 1 << 20;

struct Work {
    std::size_t live, operations;
};

void print(const char* what, double figure, const char* unit) {
    std::printf(R"({"what":"%s","figure":%.6g,"unit":"%s"})"
                "\n",
                what, figure, unit);
}

// What was occupied beyond the baseline: now, and at most.
class Resident {
  public:
    std::size_t bytes() const {
        const std::size_t now = resident_bytes();
        return now > baseline_ ? now - baseline_ : 0;
    }
    double per(std::size_t live_bytes) const {
        return static_cast<double>(bytes()) / static_cast<double>(live_bytes);
    }
    void sample(std::size_t live_bytes) {
        peak_bytes_ = std::max(peak_bytes_, bytes());
        peak_live_bytes_ = std::max(peak_live_bytes_, live_bytes);
    }
    double peak_per_peak() const {
        return static_cast<double>(peak_bytes_) / static_cast<double>(peak_live_bytes_);
    }

  private:
    std::size_t baseline_ = resident_bytes();
    std::size_t peak_bytes_ = 0, peak_live_bytes_ = 0;
};

// --- churn ----------------------------------------------------------------------------------------

template <class Subject>
class Churn {
  public:
    explicit Churn(const Work& work)
        : crowd_(subject_, work.live),
          ticks_per_phase_(work.operations / kCycles / kPhases.size() / kOperationsPerTick) {
        crowd_.fill(kUniform, random_);
    }
    void run_cycle() {
        for (const SizeMix& mix : kPhases)
            for (std::size_t tick = 0; tick < ticks_per_phase_; ++tick) run_tick(mix);
    }
    double resident_per_live() const { return resident_.per(crowd_.live_bytes()); }
    double peak_per_peak() const { return resident_.peak_per_peak(); }

  private:
    void run_tick(const SizeMix& mix) {
        for (std::size_t i = 0; i < kOperationsPerTick; ++i) crowd_.exchange_one(mix, random_);
        subject_.tick(now_ += kTick);
        if (++ticks_ % kTicksPerSample == 0) resident_.sample(crowd_.live_bytes());
    }

    Subject subject_;
    core::Random random_{1};
    Crowd<Subject> crowd_;
    Resident resident_;  // after the crowd's own tables, before its objects
    std::size_t ticks_per_phase_;
    std::size_t ticks_ = 0;
    TimePoint now_;
};

template <class Subject>
void run_churn(const Work& work) {
    Churn<Subject> churn(work);
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t cycle = 1; cycle <= kCycles; ++cycle) {
        churn.run_cycle();
        if (cycle == kEarlyCycles) print("churn_early", churn.resident_per_live(), "RSS/live");
    }
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
    print("churn_end", churn.resident_per_live(), "RSS/live");
    print("churn_peak", churn.peak_per_peak(), "RSS/live");
    print("churn_time", spent.count() / static_cast<double>(work.operations), "ns/operation");
    print("churn_faults", static_cast<double>(page_faults()), "faults");
}

// --- free -----------------------------------------------------------------------------------------

template <class Subject>
void run_free(const Work& work) {
    Subject subject;
    core::Random random(1);
    Crowd<Subject> crowd(subject, work.live);
    const Resident resident;
    crowd.fill(kUniform, random);
    for (std::size_t i = 0; i < crowd.size(); ++i)
        if (random.below(10) != 0) crowd.free(i);
    print("freed_at_once", resident.per(crowd.live_bytes()), "RSS/live");
    subject.trim();
    print("freed_trimmed", resident.per(crowd.live_bytes()), "RSS/live");
}

// --- hand_over ------------------------------------------------------------------------------------

template <class Subject>
void run_hand_over(const Work& work) {
    Subject subject;
    HandOver<Subject> ring(subject);
    const std::size_t batches = std::max(work.operations / HandOver<Subject>::kBatch, std::size_t{10});
    for (std::size_t i = 0; i < batches / 10; ++i) ring.produce();
    const std::size_t before = resident_bytes();
    std::size_t peak = before;
    for (std::size_t i = batches / 10; i < batches; ++i) {
        ring.produce();
        if (i % 1024 == 0) peak = std::max(peak, resident_bytes());
    }
    peak = std::max(peak, resident_bytes());
    print("hand_over_growth", static_cast<double>(peak - before) / kMebibyte, "MiB");
}

// --- what was asked for ---------------------------------------------------------------------------

template <class Subject>
bool run(std::string_view workload, const Work& work) {
    if (workload == "churn")
        run_churn<Subject>(work);
    else if (workload == "free")
        run_free<Subject>(work);
    else if (workload == "hand_over")
        run_hand_over<Subject>(work);
    else
        return false;
    return true;
}

bool run(std::string_view allocator, std::string_view workload, const Work& work) {
    if (allocator == "malloc") return run<Malloc>(workload, work);
    if (allocator == "bins") return run<Bins>(workload, work);
    return false;
}

}  // namespace
}  // namespace evertick::bench

int main(int argc, char** argv) {
    using namespace evertick::bench;
    const std::string_view allocator = take_argument(argc, argv, "--allocator", "malloc");
    const std::string_view workload = take_argument(argc, argv, "--workload", "");
    const Work work{.live = take_number(argc, argv, "--live", 200'000),
                    .operations = take_number(argc, argv, "--operations", 50'000'000)};
    if (argc == 1 && run(allocator, workload, work)) return 0;
    std::fprintf(stderr,
                 "usage: bench_core_memory --workload churn|free|hand_over --allocator malloc|bins "
                 "[--live N] [--operations N]\n");
    return 2;
}
