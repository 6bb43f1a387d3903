#include "tests/simulation/battlefield.hpp"

#include "server/world/components.hpp"

namespace evertick::test {
namespace {

using ecs::Entity;
using world::Ai;
using world::Flag;
using world::Flags;
using world::Health;
using world::Position;
using world::Velocity;
using world::World;

void spawn_fighter(World& world) {
    ecs::Registry& registry = world.registry;
    const Entity self = registry.create();
    Position position;
    position.x = static_cast<float>(world.random.between(-3, 3));
    position.z = static_cast<float>(world.random.between(-3, 3));
    registry.emplace<Position>(self, position);
    registry.emplace<Velocity>(self);
    const auto health = static_cast<std::int32_t>(8 + world.random.below(8));  // some fall, some flee first
    registry.emplace<Health>(self, Health{.current = health, .max = health});
    registry.emplace<Ai>(self, Ai{.detection_range = 1000});
    registry.emplace<Flags>(self, Flags{.set = {1U << static_cast<unsigned>(Flag::hostile)}});
    ++world.counters.spawned;
}

}  // namespace

void reinforce(World& world, std::size_t fighters) {
    while (world.registry.count<Ai>() < fighters) spawn_fighter(world);
    world.registry.view<Ai>().each([&](Ai& mind) {
        if (mind.target != Entity{}) return;
        const auto index = static_cast<std::uint32_t>(world.random.below(world.registry.index_count()));
        const Entity opponent = world.registry.entity_at(index);
        if (world.registry.has<Health>(opponent)) mind.target = opponent;
    });
}

}  // namespace evertick::test
