#pragma once
// How the ECS benchmark takes a time and says it: subjects in turns, one JSON sample a line
// {"subject","what","figure","unit"}; the medians are scripts/bench's.

#include <cstddef>
#include <ctime>
#include <string_view>
#include <tuple>

namespace evertick::bench {

struct Scale {
    std::size_t entities;
    int rounds;  // samples of each subject
};

// Runs with --entities N and --rounds N as told; the exit code of a main().
int run_at_scale(int argc, char** argv, void (*run)(const Scale&));

void print_sample(std::string_view subject, std::string_view what, double figure, std::string_view unit);

// Asks malloc to keep what it has, so that its pages are there in the next round: a warm heap. The bins keep
// theirs by themselves.
void keep_heap();

// The time this thread has run, which other programs disturb less than the clock on the wall.
class CpuClock {
  public:
    double elapsed_ns() const { return now_ns() - begin_ns_; }

  private:
    static double now_ns() {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
    }
    double begin_ns_ = now_ns();
};

// Work that a compiler can neither drop nor merge with what is before and after.
inline void barrier() { asm volatile("" ::: "memory"); }
inline void keep(const auto& value) { asm volatile("" : : "m"(value) : "memory"); }

// A subject's part in a workload: pass() does the whole work once.
template <class Pass>
struct Contestant {
    std::string_view subject;
    Pass pass;
};
template <class Pass>
Contestant(std::string_view, Pass) -> Contestant<Pass>;

// A function of its own for each pass, so that none is compiled into its neighbours.
template <class Pass>
[[gnu::noinline]] void repeat(const Pass& pass, std::size_t times) {
    for (std::size_t i = 0; i < times; ++i) {
        pass();
        barrier();
    }
}

// Times passes over `scale.entities` in turns; prints ns an entity. The first turn warms up.
template <class... Passes>
void measure(std::string_view what, const Scale& scale, const Contestant<Passes>&... contestants) {
    constexpr std::size_t kVisits = 1'000'000;  // of a sample, at least: a millisecond or so
    const std::size_t times = kVisits / scale.entities + 1;
    const auto sample = [&](const auto& contestant, bool is_warm) {
        const CpuClock clock;
        repeat(contestant.pass, times);
        const double ns = clock.elapsed_ns() / static_cast<double>(times * scale.entities);
        if (is_warm) print_sample(contestant.subject, what, ns, "ns/entity");
    };
    for (int round = 0; round <= scale.rounds; ++round) (sample(contestants, round > 0), ...);
}

}  // namespace evertick::bench
