#include "server/systems/movement.hpp"

#include <cmath>

#include "server/world/components.hpp"

namespace evertick::systems {
namespace {

using world::kWorldLimit;
using world::Position;
using world::Velocity;

void move_axis(float& coordinate, float& speed, float next) {
    if (world::is_coordinate(next)) {
        coordinate = next;
        return;
    }
    coordinate = std::copysign(kWorldLimit, next);
    speed = 0;
}

}  // namespace

Moved movement(ecs::Registry& registry, core::Seconds dt) {
    const auto seconds = static_cast<float>(dt.value);
    Moved moved;
    registry.view<Position, Velocity>().each([&](Position& position, Velocity& velocity) {
        const Position next{.x = position.x + velocity.x * seconds,
                            .y = position.y + velocity.y * seconds,
                            .z = position.z + velocity.z * seconds};
        if (is_valid(next)) [[likely]] {
            position = next;
            return;
        }
        if (!is_valid(position) || !is_valid(velocity)) {
            ++moved.invalid;
            return;
        }
        move_axis(position.x, velocity.x, next.x);
        move_axis(position.y, velocity.y, next.y);
        move_axis(position.z, velocity.z, next.z);
        ++moved.held;
    });
    return moved;
}

}  // namespace evertick::systems
