// bench_ecs_change [--entities N] [--rounds N]: creating and destroying entities on a warm heap, in turns.
// Each time begins with a new registry, whose own construction and destruction do not count.
//     create      entities without components
//     create_2    with two components; the plain loop appends to two vectors
//     destroy_N   entities with two components, in the order of their making; N pools are in use: all but two
//                 of them belong to every hundredth entity, which has them all and stays

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ecs/registry.hpp"
#include "tests/bench/ecs/components.hpp"
#include "tests/bench/ecs/measure.hpp"
#include "tests/bench/ecs/textbook.hpp"

namespace evertick::bench {
namespace {

struct Timed {
    double ns;
    std::size_t entities;
};

// --- creating -------------------------------------------------------------------------------------

template <class Registry>
Timed create(std::size_t count) {
    Registry registry;
    const CpuClock clock;
    for (std::size_t i = 0; i < count; ++i) keep(registry.create());
    return {clock.elapsed_ns(), count};
}

template <class Registry>
Timed create_2(std::size_t count) {
    Registry registry;
    const CpuClock clock;
    for (std::size_t i = 0; i < count; ++i) {
        const ecs::Entity entity = registry.create();
        registry.template emplace<Position>(entity);
        registry.template emplace<Velocity>(entity);
    }
    return {clock.elapsed_ns(), count};
}

Timed append_2(std::size_t count) {
    std::vector<Position> positions;
    std::vector<Velocity> velocities;
    const CpuClock clock;
    for (std::size_t i = 0; i < count; ++i) {
        keep(positions.emplace_back());
        keep(velocities.emplace_back());
    }
    return {clock.elapsed_ns(), count};
}

// --- destroying -----------------------------------------------------------------------------------

constexpr std::size_t kVictimsPerBystander = 99;
constexpr std::size_t kMostPools = 60;

// The first `count` of them.
template <class Registry>
void add_extras(Registry& registry, ecs::Entity entity, std::size_t count) {
    [&]<std::size_t... Number>(std::index_sequence<Number...>) {
        ((Number < count ? void(registry.template emplace<Extra<Number>>(entity)) : void()), ...);
    }(std::make_index_sequence<kMostPools - 2>{});
}

template <class Registry, std::size_t Pools>
Timed destroy(std::size_t count) {
    Registry registry;
    std::vector<ecs::Entity> victims;
    for (std::size_t i = 0; i < count; ++i) {
        const ecs::Entity entity = registry.create();
        registry.template emplace<Position>(entity);
        registry.template emplace<Velocity>(entity);
        if (i % (kVictimsPerBystander + 1) == 0)
            add_extras(registry, entity, Pools - 2);
        else
            victims.push_back(entity);
    }
    const CpuClock clock;
    for (const ecs::Entity victim : victims) registry.destroy(victim);
    return {clock.elapsed_ns(), victims.size()};
}

// --- in turns -------------------------------------------------------------------------------------

struct Contender {
    std::string_view subject;
    Timed (*work)(std::size_t entities);
};

// Repeats what is too short to be timed.
double ns_per_entity(const Contender& contender, std::size_t count) {
    constexpr std::size_t kEntities = 100'000;
    const std::size_t times = std::max<std::size_t>(kEntities / count, 1);
    Timed total{};
    for (std::size_t i = 0; i < times; ++i) {
        const auto [ns, entities] = contender.work(count);
        total.ns += ns;
        total.entities += entities;
    }
    return total.ns / static_cast<double>(total.entities);
}

void take_turns(std::string_view what, const Scale& scale, const std::vector<Contender>& contenders) {
    for (const Contender& each : contenders) ns_per_entity(each, scale.entities);  // warms the heap
    for (int round = 0; round < scale.rounds; ++round)
        for (const Contender& each : contenders)
            print_sample(each.subject, what, ns_per_entity(each, scale.entities), "ns/entity");
}

template <std::size_t Pools>
void measure_destroy(const Scale& scale) {
    take_turns("destroy_" + std::to_string(Pools), scale,
               {{"textbook", destroy<TextbookRegistry, Pools>}, {"evertick", destroy<ecs::Registry, Pools>}});
}

void run(const Scale& scale) {
    keep_heap();
    take_turns("create", scale,
               {{"textbook", create<TextbookRegistry>}, {"evertick", create<ecs::Registry>}});
    take_turns("create_2", scale,
               {{"plain loop", append_2},
                {"textbook", create_2<TextbookRegistry>},
                {"evertick", create_2<ecs::Registry>}});
    measure_destroy<4>(scale);
    measure_destroy<34>(scale);
    measure_destroy<kMostPools>(scale);
}

}  // namespace
}  // namespace evertick::bench

int main(int argc, char** argv) { return evertick::bench::run_at_scale(argc, argv, evertick::bench::run); }
