// bench_ecs_iterate_o2, bench_ecs_iterate_o3 [--entities N] [--rounds N]: visiting entities, in turns by a
// plain loop over arrays, a textbook sparse set and our registry. This one file is compiled at -O2 and at
// -O3. Time is per entity of the world, visited or not.
//     iterate_1, iterate_2, iterate_3  everyone has all components; the plain loop reads one, two or three
//                                      arrays in step
//     group     the same two, which the registry keeps in step, by each() and by chunks(); the same plain
//     loop half      all have the first component, a random half the second; the plain loop goes over all and
//               tests a flag of each
//     coins     who has the first and who has the second is drawn apart; the plain loop tests two flags
//     shuffled  each component was added in a random order of its own; the plain loop has arrays in step
//     get       everyone's first component in random order, by handle; the plain loop by index
// The textbook is measured twice: asking the registry about each entity, and with its pools found once.

#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "ecs/registry.hpp"
#include "tests/bench/ecs/measure.hpp"
#include "tests/bench/ecs/population.hpp"
#include "tests/bench/ecs/textbook.hpp"

namespace evertick::bench {
namespace {

// One plan for everybody.
struct Worlds {
    explicit Worlds(const Plan& plan) : arrays(plan), textbook(plan), profiled(plan), ours(plan) {}
    void verify_agreement() {
        bench::verify_agreement(arrays, textbook);
        bench::verify_agreement(arrays, profiled);
        bench::verify_agreement(arrays, ours);
    }
    PlainArrays arrays;
    Population<TextbookRegistry> textbook, profiled;
    Population<ecs::Registry> ours;
};

// The same visit by a view of Ts and by a plain loop over the arrays.
template <class... Ts, class Visit, class Loop>
void measure_view(std::string_view what, const Scale& scale, const Plan& plan, Visit visit, Loop loop) {
    Worlds worlds(plan);
    measure(what, scale,  //
            Contestant{"plain loop", [&] { loop(worlds.arrays); }},
            Contestant{"textbook", [&] { worlds.textbook.registry.each<std::remove_const_t<Ts>...>(visit); }},
            Contestant{"textbook, pools found once",
                       [&] { worlds.profiled.registry.each_in_pools<std::remove_const_t<Ts>...>(visit); }},
            Contestant{"evertick", [&] { worlds.ours.registry.view<Ts...>().each(visit); }});
    worlds.verify_agreement();
}

void move_all(PlainArrays& arrays) {
    for (std::size_t i = 0; i < arrays.positions.size(); ++i)
        kMove(arrays.positions[i], arrays.velocities[i]);
}

void measure_all_match(const Scale& scale) {
    const Plan plan = plan_all(scale.entities);
    measure_view<Position>("iterate_1", scale, plan, kRise, [](PlainArrays& arrays) {
        for (Position& position : arrays.positions) kRise(position);
    });
    measure_view<Position, const Velocity>("iterate_2", scale, plan, kMove, move_all);
    measure_view<Position, Velocity, const Body>("iterate_3", scale, plan, kGlide, [](PlainArrays& arrays) {
        for (std::size_t i = 0; i < arrays.positions.size(); ++i)
            kGlide(arrays.positions[i], arrays.velocities[i], arrays.bodies[i]);
    });
}

void measure_group(const Scale& scale) {
    const Plan plan = plan_all(scale.entities);
    PlainArrays arrays(plan);
    Population<ecs::Registry> each(plan), chunks(plan);
    const auto group_of = [](auto& population) {
        return population.registry.template group<Position, const Velocity>();
    };
    const auto move_spans = [](std::span<Position> positions, std::span<const Velocity> velocities) {
        for (std::size_t i = 0; i < positions.size(); ++i) kMove(positions[i], velocities[i]);
    };
    measure("group", scale,  //
            Contestant{"plain loop", [&] { move_all(arrays); }},
            Contestant{"evertick", [&] { group_of(each).each(kMove); }},
            Contestant{"evertick, chunks", [&] { group_of(chunks).chunks(move_spans); }});
    verify_agreement(arrays, each);
    verify_agreement(arrays, chunks);
}

void measure_some_match(const Scale& scale) {
    measure_view<Position, const Velocity>("half", scale, plan_half(scale.entities), kMove,
                                           [](PlainArrays& arrays) {
                                               for (std::size_t i = 0; i < arrays.positions.size(); ++i)
                                                   if (arrays.has_velocity[i] != 0)
                                                       kMove(arrays.positions[i], arrays.velocities[i]);
                                           });
    measure_view<Position, const Velocity>(
        "coins", scale, plan_coins(scale.entities), kMove, [](PlainArrays& arrays) {
            for (std::size_t i = 0; i < arrays.positions.size(); ++i)
                if (arrays.has_position[i] != 0 && arrays.has_velocity[i] != 0)
                    kMove(arrays.positions[i], arrays.velocities[i]);
        });
}

void measure_get(const Scale& scale) {
    Worlds worlds(plan_all(scale.entities));
    core::Random random(4);
    const Indices order = shuffled(all_of(scale.entities), random);
    std::vector<ecs::Entity> handles;  // those of the textbook are the same
    for (const std::uint32_t index : order) handles.push_back(worlds.ours.entities[index]);
    const auto sum = [](const auto& keys, auto position_of) {
        float total = 0;
        for (const auto key : keys) total += position_of(key).x;
        keep(total);
    };
    const auto by_handle = [&](auto& registry) {
        sum(handles, [&](ecs::Entity entity) { return registry.template get<Position>(entity); });
    };
    measure("get", scale,  //
            Contestant{"plain loop",
                       [&] { sum(order, [&](std::uint32_t i) { return worlds.arrays.positions[i]; }); }},
            Contestant{"textbook", [&] { by_handle(worlds.textbook.registry); }},
            Contestant{"evertick", [&] { by_handle(worlds.ours.registry); }});
}

void run(const Scale& scale) {
    keep_heap();
    measure_all_match(scale);
    measure_group(scale);
    measure_some_match(scale);
    measure_view<Position, const Velocity>("shuffled", scale, plan_shuffled(scale.entities), kMove, move_all);
    measure_get(scale);
}

}  // namespace
}  // namespace evertick::bench

int main(int argc, char** argv) { return evertick::bench::run_at_scale(argc, argv, evertick::bench::run); }
