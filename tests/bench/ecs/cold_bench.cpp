// bench_ecs_cold [--entities N] [--rounds N]: on a cold heap. Every turn is a child of its own, whose heap is
// set up and has never held anything, so first touches of memory count.
//     create_2_cold  entities with two components
//     worst          the slowest single one of them. A machine that does other things besides interrupts
//                    somewhere in every round, but seldom at the same entity: of each entity the fastest
//                    round counts, and of these the slowest entity.

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <span>
#include <string_view>

#include "core/binned_allocator.hpp"
#include "core/verify.hpp"
#include "ecs/registry.hpp"
#include "tests/bench/ecs/components.hpp"
#include "tests/bench/ecs/measure.hpp"
#include "tests/bench/ecs/textbook.hpp"

namespace evertick::bench {
namespace {

// Numbers that a child writes and we read. Starts at "for ever".
class SharedNumbers {
  public:
    explicit SharedNumbers(std::size_t count)
        : bytes_(count * sizeof(float)),
          memory_(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
        core::verify(memory_ != MAP_FAILED, "SharedNumbers: memory");
        std::ranges::fill(all(), std::numeric_limits<float>::max());
    }
    ~SharedNumbers() { munmap(memory_, bytes_); }
    SharedNumbers(const SharedNumbers&) = delete;
    SharedNumbers& operator=(const SharedNumbers&) = delete;

    std::span<float> all() const { return {static_cast<float*>(memory_), bytes_ / sizeof(float)}; }

  private:
    std::size_t bytes_;
    void* memory_;
};

// A process's first request sets its heaps up, which is the start of a program and no growth.
void set_heaps_up() {
    core::BinnedAllocator& bins = core::BinnedAllocator::process();
    bins.free(bins.allocate(1), 1);
    keep(std::make_unique<int>());
}

template <class Work>
void in_child(Work work) {
    const pid_t child = fork();
    core::verify(child >= 0, "in_child: fork");
    if (child == 0) {
        set_heaps_up();
        work();
        _exit(0);
    }
    int status = 0;
    core::verify(waitpid(child, &status, 0) == child && status == 0, "in_child: the child succeeds");
}

template <class Registry>
void create_one(Registry& registry) {
    const ecs::Entity entity = registry.create();
    registry.template emplace<Position>(entity);
    registry.template emplace<Velocity>(entity);
}

template <class Registry>
float mean_ns(std::size_t count) {
    Registry registry;
    const CpuClock clock;
    for (std::size_t i = 0; i < count; ++i) create_one(registry);
    return static_cast<float>(clock.elapsed_ns() / static_cast<double>(count));
}

// Lowers the time of each entity that was created faster than ever before.
template <class Registry>
void time_each(std::span<float> best_ns) {
    Registry registry;
    for (float& best : best_ns) {
        const auto begin = std::chrono::steady_clock::now();
        create_one(registry);
        const std::chrono::duration<float, std::nano> spent = std::chrono::steady_clock::now() - begin;
        best = std::min(best, spent.count());
    }
}

template <class Registry>
void sample_mean(std::string_view subject, std::size_t count) {
    const SharedNumbers mean(1);
    in_child([&] { mean.all().front() = mean_ns<Registry>(count); });
    print_sample(subject, "create_2_cold", static_cast<double>(mean.all().front()), "ns/entity");
}

void print_worst(std::string_view subject, std::span<const float> best_ns) {
    print_sample(subject, "worst", static_cast<double>(std::ranges::max(best_ns)) * 1e-6, "ms");
}

void run(const Scale& scale) {
    const SharedNumbers textbook(scale.entities), ours(scale.entities);
    for (int round = 0; round < scale.rounds; ++round) {
        sample_mean<TextbookRegistry>("textbook", scale.entities);
        sample_mean<ecs::Registry>("evertick", scale.entities);
        in_child([&] { time_each<TextbookRegistry>(textbook.all()); });
        in_child([&] { time_each<ecs::Registry>(ours.all()); });
    }
    print_worst("textbook", textbook.all());
    print_worst("evertick", ours.all());
}

}  // namespace
}  // namespace evertick::bench

int main(int argc, char** argv) { return evertick::bench::run_at_scale(argc, argv, evertick::bench::run); }
