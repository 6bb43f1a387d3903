#pragma once
// What the entities of the ECS benchmark have, 32 bytes in all, and what a system does with it: the same for
// every subject.

#include <cstdint>

namespace evertick::bench {

struct Position {
    float x = 0, y = 0;
};
struct Velocity {
    float x = 1, y = 1;
};
struct Body {
    float drag = 0.5F, lift = 0.5F, mass = 1, radius = 1;
};
static_assert(sizeof(Position) + sizeof(Velocity) + sizeof(Body) == 32);

// The other pools of a large game, told apart by a number.
template <std::size_t Number>
struct Extra {
    std::uint32_t value = 0;
};

inline constexpr float kStep = 1.0F / 32;

inline constexpr auto kRise = [](Position& position) {
    position.x += kStep;
    position.y += kStep;
};
inline constexpr auto kMove = [](Position& position, const Velocity& velocity) {
    position.x += velocity.x * kStep;
    position.y += velocity.y * kStep;
};
inline constexpr auto kGlide = [](Position& position, Velocity& velocity, const Body& body) {
    velocity.x -= body.drag * kStep;
    velocity.y += body.lift * kStep;
    position.x += velocity.x * kStep;
    position.y += velocity.y * kStep;
};

}  // namespace evertick::bench
