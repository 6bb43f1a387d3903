#include "server/systems/movement.hpp"

#include <cmath>

#include "server/world/components.hpp"

namespace evertick::systems {
namespace {

using world::kWorldLimit;
using world::Position;
using world::Velocity;

// False for NaN as well.
bool inside(float coordinate) { return std::abs(coordinate) <= kWorldLimit; }
bool inside(const Position& p) { return inside(p.x) && inside(p.y) && inside(p.z); }

void move_axis(float& coordinate, float& speed, float next) {
    if (inside(next)) {
        coordinate = next;
        return;
    }
    if (!std::isnan(next)) coordinate = std::copysign(kWorldLimit, next);
    speed = 0;
}

}  // namespace

std::size_t movement(ecs::Registry& registry, core::Seconds dt) {
    const auto seconds = static_cast<float>(dt.value);
    std::size_t held = 0;
    registry.view<Position, Velocity>().each([&](Position& position, Velocity& velocity) {
        const Position next{.x = position.x + velocity.x * seconds,
                            .y = position.y + velocity.y * seconds,
                            .z = position.z + velocity.z * seconds};
        if (inside(next)) [[likely]] {
            position = next;
            return;
        }
        move_axis(position.x, velocity.x, next.x);
        move_axis(position.y, velocity.y, next.y);
        move_axis(position.z, velocity.z, next.z);
        ++held;
    });
    return held;
}

}  // namespace evertick::systems
