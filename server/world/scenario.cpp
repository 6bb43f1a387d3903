#include "server/world/scenario.hpp"

#include <algorithm>
#include <array>

#include "server/world/components.hpp"

namespace evertick::world {
namespace {

// The demo's wanderers, per axis or in all.
constexpr float kBoxHalfWidth = 500;                     // m
constexpr float kTopSpeed = 2;                           // m/s
constexpr double kShortestLife = 5, kLongestLife = 120;  // s

float drawn(core::Random& random, float limit) {
    return static_cast<float>(random.between(static_cast<double>(-limit), static_cast<double>(limit)));
}

ecs::Entity spawn(World& world, const Position& position) {
    const ecs::Entity entity = world.registry.create();
    world.registry.emplace<Position>(entity, position);
    world.spatial_index.touch(entity);
    ++world.counters.spawned;
    world.events.note_spawned(world.registry, {&entity, 1});
    return entity;
}

constexpr std::array kScenarios{
    Scenario{"none", "nothing at all", [](World&) {}},
    Scenario{"reference", "a walking player, an enemy that hunts it, and a tree", &load_reference},
    Scenario{"demo", "the reference and 10,000 wanderers", &load_demo},
};

}  // namespace

std::span<const Scenario> scenarios() { return kScenarios; }

const Scenario* find_scenario(std::string_view name) {
    const auto found = std::ranges::find(kScenarios, name, &Scenario::name);
    return found == kScenarios.end() ? nullptr : &*found;
}

void load_reference(World& world) {
    ecs::Registry& registry = world.registry;
    const ecs::Entity player = spawn(world, {.x = 0, .y = 0, .z = 0});
    registry.emplace<Velocity>(player, Velocity{.x = 1, .y = 0, .z = 0.5F});
    registry.emplace<Health>(player);

    const ecs::Entity enemy = spawn(world, {.x = 5, .y = 0, .z = 5});
    registry.emplace<Velocity>(enemy);
    registry.emplace<Health>(enemy);
    registry.emplace<Ai>(enemy, Ai{.target = player});

    spawn(world, {.x = 10, .y = 0, .z = 10});  // the tree
}

void load_demo(World& world) {
    load_reference(world);
    const std::uint64_t room =
        world.max_entities - std::min<std::uint64_t>(world.max_entities, world.registry.alive_count());
    world.wanderers = static_cast<std::uint32_t>(std::min<std::uint64_t>(kDemoWanderers, room));
    for (std::uint32_t i = 0; i < world.wanderers; ++i) spawn_wanderer(world);
}

ecs::Entity spawn_wanderer(World& world) {
    core::Random& random = world.random;
    Position position;  // drawn one statement at a time: the order of arguments is the compiler's choice
    position.x = drawn(random, kBoxHalfWidth);
    position.z = drawn(random, kBoxHalfWidth);
    Velocity velocity;
    velocity.x = drawn(random, kTopSpeed);
    velocity.z = drawn(random, kTopSpeed);
    const ecs::Entity entity = spawn(world, position);
    world.registry.emplace<Velocity>(entity, velocity);
    world.registry.emplace<Lifetime>(entity,
                                     Lifetime{.remaining = random.between(kShortestLife, kLongestLife)});
    return entity;
}

}  // namespace evertick::world
