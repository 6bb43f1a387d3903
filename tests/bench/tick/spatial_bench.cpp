#include "tests/bench/tick/spatial_bench.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/mem_stack.hpp"
#include "core/verify.hpp"
#include "server/world/components.hpp"
#include "server/world/query.hpp"
#include "tests/bench/tick/rows.hpp"

namespace evertick::bench {
namespace {

using ecs::Entity;
using world::Filter;
using world::Position;
using world::World;

constexpr double kEntitiesPerSquareMetre = 0.1;
constexpr float kHundredNear = 17.84F;        // m: the radius with about 100 inside
constexpr float kNineInside = 9.49F;          // m: the side of a box with about 9
constexpr float kMargin = 50;                 // m: questions keep away from the border
constexpr int kQuestions = 10;                // in one sample
constexpr std::size_t kLimit = 1000;          // rows
constexpr double kUpkeepTargetMs = 3.3;       // of 100,000: a tenth of the period at 30 Hz
constexpr double kSpeedUpTarget = 0.05;       // times looking at 100,000
constexpr std::size_t kMeasuredAt = 100'000;  // entities, where the targets apply

float width(std::size_t entities) {
    return static_cast<float>(std::sqrt(static_cast<double>(entities) / kEntitiesPerSquareMetre));
}

float drawn(World& world, float low, float high) {
    return static_cast<float>(world.random.between(static_cast<double>(low), static_cast<double>(high)));
}

void fill(World& world, std::size_t entities) {
    for (std::size_t i = 0; i < entities; ++i) {
        Position position;
        position.x = drawn(world, 0, width(entities));
        position.z = drawn(world, 0, width(entities));
        world.registry.emplace<Position>(world.registry.create(), position);
    }
}

// The same answer without the index.
std::size_t look_at_everyone(const World& world, const Filter& filter, const world::Vector3& centre,
                             std::size_t limit) {
    std::vector<world::Neighbour> found;
    for (const Entity entity : world.registry.entities()) {
        if (!matches(world, entity, filter)) continue;
        const Position& position = world.registry.get<Position>(entity);
        found.push_back({squared_distance(centre, world::point(position)), entity});
    }
    const std::size_t kept = std::min(found.size(), limit);
    std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(kept), world::Nearer{});
    return kept;
}

struct Question {
    std::string name;
    world::Region (*about)(const world::Vector3& centre);
    std::size_t limit = kLimit;
};
const Question kAsked[] = {
    {"near, about 100 found",
     [](const world::Vector3& at) -> world::Region { return world::Near{at, kHundredNear}; }},
    {"nearest 10", [](const world::Vector3& at) -> world::Region { return world::Nearest{at, 10}; }, 10},
    {"box, about 9 found",
     [](const world::Vector3& at) -> world::Region {
         return world::Box{{at.x, -1, at.z}, {at.x + kNineInside, 1, at.z + kNineInside}};
     }},
};

void ask(World& world, const Question& question, std::size_t entities, int rounds, const std::string& name) {
    core::MemStack stack;
    Samples with_index, without;
    for (int round = 0; round < rounds; ++round) {
        std::vector<world::Vector3> centres(kQuestions);
        for (world::Vector3& centre : centres) {
            centre.x = drawn(world, kMargin, width(entities) - kMargin);
            centre.z = drawn(world, kMargin, width(entities) - kMargin);
        }
        std::size_t found = 0;
        with_index.time([&] {
            for (const world::Vector3& centre : centres) {
                const core::MemMark mark(stack);
                const Filter filter{.region = question.about(centre)};
                found += select(world, filter, question.limit, 0, stack).entities.size();
            }
        });
        std::size_t first = 0;
        without.time([&] {
            first =
                look_at_everyone(world, {.region = question.about(centres[0])}, centres[0], question.limit);
        });
        core::verify(first <= found, "both find the same");
    }
    const double microseconds = with_index.median() * 1000 / kQuestions;
    const bool has_target = entities == kMeasuredAt;
    print_row(name + question.name, microseconds, "us");
    print_row(name + question.name + ", against looking at everyone",
              microseconds / (without.median() * 1000), "times",
              has_target ? std::optional(kSpeedUpTarget) : std::nullopt);
}

}  // namespace

void run_spatial(std::size_t entities, int rounds) {
    const std::string name = std::to_string(entities) + " entities, ";
    World world(1);
    fill(world, entities);
    core::MemStack stack;
    const core::MemMark mark(stack);
    Samples upkeep;
    for (int round = 0; round < rounds; ++round) {
        world.spatial_index.invalidate();
        upkeep.time([&] { world.spatial_index.refresh(world.registry, stack); });
    }
    print_row(name + "index made anew", upkeep.median(), "ms/tick",
              entities == kMeasuredAt ? std::optional(kUpkeepTargetMs) : std::nullopt);
    print_row(name + "index",
              static_cast<double>(world.spatial_index.allocated_bytes()) / static_cast<double>(entities),
              "bytes each");
    for (const Question& question : kAsked) ask(world, question, entities, rounds, name);
}

}  // namespace evertick::bench
