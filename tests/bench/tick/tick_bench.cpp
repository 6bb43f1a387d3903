// bench_tick [--quick]: the time of one tick for 10,000 to 1,000,000 entities, beside the same arithmetic
// over plain arrays, taken in turns in one run so that both meet the same machine. Prints one JSON row a
// line:
// {"row","figure","unit","target","met"}; target and met are null where a figure only informs. Run it by
// scripts/bench.

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "core/mem_stack.hpp"
#include "core/verify.hpp"
#include "server/systems/schedule.hpp"
#include "tests/bench/tick/plain_arrays.hpp"
#include "tests/bench/tick/rows.hpp"
#include "tests/bench/tick/spatial_bench.hpp"

namespace evertick::bench {
namespace {

using world::Health;
using world::Lifetime;
using world::Position;
using world::Velocity;

constexpr core::Seconds kTick{1.0 / 30};

struct Size {
    std::size_t entities;
    int rounds;
    double target_ms;  // of one tick
};
// The period at 30 Hz is 33 ms: a million just fit, and 100,000 leave nearly all of it to clients.
constexpr Size kSizes[] = {{10'000, 501, 0.2}, {100'000, 101, 2}, {1'000'000, 15, 33}};
constexpr double kRatioTarget = 3;  // times the plain arrays
constexpr std::size_t kQuickEntities = 100'000;

// --- the work -------------------------------------------------------------------------------------

// The same entities twice.
struct Pair {
    world::World world{1};
    PlainArrays arrays;
};

void fill(Pair& pair, std::size_t entities) {
    ecs::Registry& registry = pair.world.registry;
    core::Random& random = pair.world.random;
    const auto drawn = [&](double limit) { return static_cast<float>(random.between(-limit, limit)); };
    for (std::size_t i = 0; i < entities; ++i) {
        const ecs::Entity entity = registry.create();
        pair.arrays.positions.push_back(
            registry.emplace<Position>(entity, Position{.x = drawn(500), .z = drawn(500)}));
        pair.arrays.velocities.push_back(
            registry.emplace<Velocity>(entity, Velocity{.x = drawn(2), .z = drawn(2)}));
        pair.arrays.healths.push_back(registry.emplace<Health>(entity, Health{.current = 1, .max = 100'000}));
        pair.arrays.lifetimes.push_back(registry.emplace<Lifetime>(entity, Lifetime{.remaining = 1e6}));
    }
}

// Takes velocity from entities at random and gives it back, so that the pools no longer agree in order: what
// hours of play do to them.
void shuffle(Pair& pair) {
    ecs::Registry& registry = pair.world.registry;
    for (std::size_t i = 0; i < registry.alive_count(); ++i) {
        const ecs::Entity entity =
            registry.entity_at(static_cast<std::uint32_t>(pair.world.random.below(registry.index_count())));
        const Velocity velocity = registry.get<Velocity>(entity);
        registry.remove<Velocity>(entity);
        registry.emplace<Velocity>(entity, velocity);
    }
}

// Both did the same, bit for bit, or the comparison is worth nothing.
void verify_agreement(const Pair& pair) {
    for (std::size_t i = 0; i < pair.arrays.positions.size(); ++i) {
        const ecs::Entity entity = pair.world.registry.entity_at(static_cast<std::uint32_t>(i));
        const Position& in_world = *pair.world.registry.try_get<Position>(entity);
        const Position& in_array = pair.arrays.positions[i];
        core::verify(in_world.x == in_array.x && in_world.y == in_array.y && in_world.z == in_array.z,
                     "the world and the plain arrays moved alike");
    }
}

void run_size(const Size& size, int rounds) {
    const std::string name = std::to_string(size.entities) + " entities";
    Pair pair;
    fill(pair, size.entities);
    core::MemStack scratch;
    Samples world_samples, array_samples, shuffled_samples;
    std::size_t gone = 0;
    const auto measure = [&](Samples& samples) {
        samples.time([&] { systems::step(pair.world, kTick, scratch); });
        array_samples.time([&] { gone += tick(pair.arrays, kTick); });
    };
    for (int round = 0; round < rounds; ++round) measure(world_samples);
    shuffle(pair);
    for (int round = 0; round < rounds; ++round) measure(shuffled_samples);
    core::verify(gone == 0 && pair.world.counters.destroyed == 0, "nobody dies in the benchmark");
    verify_agreement(pair);

    const double world_ms = world_samples.median();
    const double array_ms = array_samples.median();
    print_row(name, world_ms, "ms/tick", size.target_ms);
    print_row(name + ", pools in different orders", shuffled_samples.median(), "ms/tick");
    print_row(name + ", plain arrays", array_ms, "ms/tick");
    print_row(name + ", against plain arrays", world_ms / array_ms, "times", kRatioTarget);
}

// Where a tick of that many entities goes.
void run_systems(std::size_t entities, int rounds) {
    Pair pair;
    fill(pair, entities);
    core::MemStack scratch;
    const core::MemMark mark(scratch);
    systems::Frame frame{pair.world, kTick, scratch};
    std::vector<Samples> samples(systems::schedule().size());
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < samples.size(); ++i)
            samples[i].time([&] { systems::schedule()[i].run(frame); });
    for (std::size_t i = 0; i < samples.size(); ++i)
        print_row(std::to_string(entities) + " entities, " + std::string(systems::schedule()[i].name),
                  samples[i].median(), "ms/tick");
}

void run(bool quick) {
    for (const Size& size : kSizes)
        if (!quick || size.entities <= kQuickEntities) run_size(size, quick ? size.rounds / 5 : size.rounds);
    run_systems(kQuickEntities, quick ? 20 : 100);
    run_spatial(10'000, quick ? 11 : 101);
    run_spatial(kQuickEntities, quick ? 11 : 101);
    if (!quick) run_spatial(1'000'000, 11);
}

}  // namespace
}  // namespace evertick::bench

int main(int argc, char** argv) {
    const bool quick = argc == 2 && std::string_view(argv[1]) == "--quick";
    if (argc > 1 && !quick) {
        std::fprintf(stderr, "usage: bench_tick [--quick]\n");
        return 2;
    }
    evertick::bench::run(quick);
}
