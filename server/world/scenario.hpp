#pragma once
// What a world starts with, chosen by name (`--scenario demo`).

#include <cstdint>
#include <span>
#include <string_view>

#include "server/world/world.hpp"

namespace evertick::world {

struct Scenario {
    std::string_view name, help;
    void (*load)(World&);  // requires: an empty world. Draws from the world's generator only.
};

std::span<const Scenario> scenarios();

// nullptr when there is none of that name.
const Scenario* find_scenario(std::string_view name);

inline constexpr std::uint32_t kDemoWanderers = 10'000;

// Three entities whose course is known by heart: a walking player (0:0), an enemy that hunts it (1:0), a tree
// (2:0).
void load_reference(World& world);

// The reference and kDemoWanderers wanderers, or as many as max_entities leaves room for.
void load_demo(World& world);

// One more wanderer: somewhere in the demo's box, walking, with a lifetime, all drawn from the world's
// generator. requires: room under max_entities
ecs::Entity spawn_wanderer(World& world);

}  // namespace evertick::world
