#include "tests/bench/tick/plain_arrays.hpp"

#include <cmath>

#include "server/systems/countdown.hpp"

namespace evertick::bench {
namespace {

bool inside(float coordinate) { return std::abs(coordinate) <= world::kWorldLimit; }

void move(PlainArrays& arrays, float seconds) {
    for (std::size_t i = 0; i < arrays.positions.size(); ++i) {
        world::Position& position = arrays.positions[i];
        world::Velocity& velocity = arrays.velocities[i];
        const world::Position next{.x = position.x + velocity.x * seconds,
                                   .y = position.y + velocity.y * seconds,
                                   .z = position.z + velocity.z * seconds};
        if (inside(next.x) && inside(next.y) && inside(next.z))
            position = next;
        else
            velocity = {};
    }
}

void regenerate(PlainArrays& arrays) {
    for (world::Health& health : arrays.healths)
        if (health.current > 0 && health.current < health.max) ++health.current;
}

std::size_t dead(const PlainArrays& arrays) {
    std::size_t count = 0;
    for (const world::Health& health : arrays.healths)
        if (health.current <= 0) ++count;
    return count;
}

std::size_t expired(PlainArrays& arrays, core::Seconds dt) {
    std::size_t count = 0;
    for (world::Lifetime& life : arrays.lifetimes) {
        life.remaining = systems::counted_down(life.remaining, dt);
        if (life.remaining <= 0) ++count;
    }
    return count;
}

}  // namespace

std::size_t tick(PlainArrays& arrays, core::Seconds dt) {
    move(arrays, static_cast<float>(dt.value));
    regenerate(arrays);
    return dead(arrays) + expired(arrays, dt);
}

}  // namespace evertick::bench
