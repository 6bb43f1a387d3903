#include "server/systems/ai.hpp"

#include <cmath>

#include "server/world/components.hpp"
#include "server/world/distance.hpp"

namespace evertick::systems {
namespace {

using ecs::Entity;
using ecs::Registry;
using world::Ai;
using world::AiState;
using world::Health;
using world::Position;
using world::Velocity;

// Where the target is; nullptr when there is nobody to be after.
const Position* find_target(const Registry& registry, Entity self, Entity target) {
    if (target == self) return nullptr;
    const Health* const health = registry.try_get<Health>(target);
    if (health != nullptr && health->current <= 0) return nullptr;
    return registry.try_get<Position>(target);
}

bool is_badly_hurt(const Health* health) { return health != nullptr && health->current * 5 < health->max; }

AiState decision(const Ai& mind, const Health* health, double squared_distance) {
    const auto sight = static_cast<double>(mind.detection_range);
    if (is_badly_hurt(health)) return AiState::flee;
    if (squared_distance <= kAttackRange * kAttackRange) return AiState::attack;
    if (squared_distance <= sight * sight) return AiState::chase;
    return AiState::idle;
}

// The velocity that leads from one place to the other; along x when they are the same.
Velocity toward(const Position& from, const Position& to, double speed) {
    const double distance = std::sqrt(world::squared_distance(world::point(from), world::point(to)));
    if (distance == 0) return {.x = static_cast<float>(speed)};
    const auto component = [&](float a, float b) {
        return static_cast<float>((static_cast<double>(b) - static_cast<double>(a)) / distance * speed);
    };
    return {.x = component(from.x, to.x), .y = component(from.y, to.y), .z = component(from.z, to.z)};
}

Velocity steered(const Velocity& current, AiState before, AiState now, const Position& self,
                 const Position* target) {
    switch (now) {
        case AiState::idle: return before == AiState::idle ? current : Velocity{};
        case AiState::attack: return {};
        case AiState::chase: return toward(self, *target, kChaseSpeed);
        case AiState::flee: return toward(self, *target, -kFleeSpeed);
    }
    return current;
}

}  // namespace

std::size_t ai(Registry& registry) {
    std::size_t invalid = 0;
    registry.view<Ai, Position>().each([&](Entity self, Ai& mind, const Position& position) {
        const Position* const target = find_target(registry, self, mind.target);
        AiState next = AiState::idle;
        if (target == nullptr)
            mind.target = Entity{};
        else
            next = decision(mind, registry.try_get<Health>(self),
                            world::squared_distance(world::point(position), world::point(*target)));
        if (Velocity* const velocity = registry.try_get<Velocity>(self); velocity != nullptr) {
            *velocity = steered(*velocity, mind.state, next, position, target);
            invalid += is_valid(*velocity) ? 0U : 1U;
        }
        mind.state = next;
    });
    return invalid;
}

}  // namespace evertick::systems
