#include "ecs/registry.hpp"

struct Position {
    float x = 0, y = 0;
};

// Succeeds when a registry of the installed package works.
int main() {
    evertick::ecs::Registry registry;
    const evertick::ecs::Entity wolf = registry.create();
    registry.emplace<Position>(wolf);
    registry.view<Position>().each([](Position& position) { position.x += 1; });
    return registry.get<Position>(wolf).x == 1.0F ? 0 : 1;
}
