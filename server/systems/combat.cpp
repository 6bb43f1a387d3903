#include "server/systems/combat.hpp"

#include <algorithm>

#include "server/systems/countdown.hpp"
#include "server/world/components.hpp"

namespace evertick::systems {

using world::Ai;
using world::AiState;
using world::Health;
using world::Position;

void combat(ecs::Registry& registry, core::Seconds dt, core::ChunkedArray<world::DeathEvent>& deaths) {
    registry.view<Ai, Position>().each([&](ecs::Entity self, Ai& mind, const Position&) {
        mind.cooldown = counted_down(mind.cooldown, dt);
        if (mind.state != AiState::attack || mind.cooldown > 0) return;
        mind.cooldown = kAttackCooldown;
        Health* const health = registry.try_get<Health>(mind.target);
        if (health == nullptr || health->current <= 0) return;
        health->current = std::max(health->current - kAttackDamage, 0);
        if (health->current == 0) deaths.push_back({.entity = mind.target, .killer = self});
    });
}

}  // namespace evertick::systems
