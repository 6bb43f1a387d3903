#pragma once
// What the entities of the ECS benchmark have, 32 bytes in all, and what a system does with it, by the tick:
// the same for every subject, and little, so that getting there is what is measured. No more constants than
// must be: whether g++ keeps one in a register or loads it each time is its luck, and half of such a loop.

#include <cstddef>
#include <cstdint>

namespace evertick::bench {

struct Position {
    float x = 0, y = 0;
};
struct Velocity {
    float x = 1, y = 1;
};
struct Body {
    float push_x = 0.5F, push_y = 0.25F, mass = 1, radius = 1;
};
static_assert(sizeof(Position) + sizeof(Velocity) + sizeof(Body) == 32);

// The other pools of a large game, told apart by a number.
template <std::size_t Number>
struct Extra {
    std::uint32_t value = 0;
};

inline constexpr auto kRise = [](Position& position) {
    position.x += 0.5F;
    position.y += 0.5F;
};
inline constexpr auto kMove = [](Position& position, const Velocity& velocity) {
    position.x += velocity.x;
    position.y += velocity.y;
};
inline constexpr auto kGlide = [](Position& position, Velocity& velocity, const Body& body) {
    velocity.x += body.push_x;
    velocity.y += body.push_y;
    position.x += velocity.x;
    position.y += velocity.y;
};

}  // namespace evertick::bench
