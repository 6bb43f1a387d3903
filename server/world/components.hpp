#pragma once
// Every component of the world, each declared once: plain data with its name, fields, units, limits and
// defaults. Protocol, HELP, JSON, filters and snapshots follow from these blocks. To add one, write its block
// and name it in Components below; nothing else changes.
//
// Limits are checked where values enter (commands, files); systems keep within them by themselves.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "core/schema.hpp"
#include "ecs/entity.hpp"

namespace evertick::world {

// No position lies beyond it, on any axis. 2^25 m: a float still tells 2 m apart just inside it.
inline constexpr float kWorldLimit = 33'554'432.0F;
inline constexpr float kSpeedLimit = 1e6F;  // m/s on each axis

struct Position {
    float x = 0, y = 0, z = 0;

    static consteval auto schema() {
        constexpr core::FieldInfo kAxis{.unit = "m", .min = -kWorldLimit, .max = kWorldLimit};
        return core::describe("position", "where the entity is", core::field<&Position::x>("x", kAxis),
                              core::field<&Position::y>("y", kAxis), core::field<&Position::z>("z", kAxis));
    }
};

// Whether it may be one of a position's; no NaN is.
constexpr bool is_coordinate(float metres) { return -kWorldLimit <= metres && metres <= kWorldLimit; }
constexpr bool is_valid(const Position& p) {
    return is_coordinate(p.x) && is_coordinate(p.y) && is_coordinate(p.z);
}

struct Velocity {
    float x = 0, y = 0, z = 0;

    static consteval auto schema() {
        constexpr core::FieldInfo kAxis{.unit = "m/s", .min = -kSpeedLimit, .max = kSpeedLimit};
        return core::describe("velocity", "how fast the position changes; without it an entity never moves",
                              core::field<&Velocity::x>("x", kAxis), core::field<&Velocity::y>("y", kAxis),
                              core::field<&Velocity::z>("z", kAxis));
    }
};

constexpr bool is_speed(float speed) { return -kSpeedLimit <= speed && speed <= kSpeedLimit; }
constexpr bool is_valid(const Velocity& v) { return is_speed(v.x) && is_speed(v.y) && is_speed(v.z); }

struct Rotation {
    float pitch = 0, yaw = 0, roll = 0;

    static consteval auto schema() {
        constexpr core::FieldInfo kAngle{.unit = "deg", .min = -360, .max = 360};
        return core::describe(
            "rotation", "where the entity faces", core::field<&Rotation::pitch>("pitch", kAngle),
            core::field<&Rotation::yaw>("yaw", kAngle), core::field<&Rotation::roll>("roll", kAngle));
    }
};

struct Health {
    std::int32_t current = 100, max = 100;

    static consteval auto schema() {
        return core::describe(
            "health", "how much damage the entity can take; at zero it dies in the next tick",
            core::field<&Health::current>(
                "current", {.help = "regenerates by 1 every regen-ticks ticks, up to max; more is kept",
                            .min = 0,
                            .max = 1e6}),
            core::field<&Health::max>("max", {.help = "where regeneration ends", .min = 1, .max = 1e6}));
    }
};

struct Renderable {
    std::uint32_t mesh = 0, material = 0;

    static consteval auto schema() {
        return core::describe(
            "renderable", "what a viewer draws; the server never reads it",
            core::field<&Renderable::mesh>("mesh", {.help = "number of the mesh"}),
            core::field<&Renderable::material>("material", {.help = "number of the material"}));
    }
};

enum class AiState : std::uint8_t { idle, chase, attack, flee };
constexpr std::array<std::string_view, 4> words(AiState) { return {"idle", "chase", "attack", "flee"}; }

struct Ai {
    AiState state = AiState::idle;
    float detection_range = 10;
    ecs::Entity target = {};
    double cooldown = 0;

    static consteval auto schema() {
        return core::describe(
            "ai",
            "chases, attacks and flees its target; acts only with a position, moves only with a velocity",
            core::field<&Ai::state>("state", {.help = "what it is doing; decided anew each tick"}),
            core::field<&Ai::target>("target",
                                     {.help = "whom it is after; cleared when that entity is gone"}),
            core::field<&Ai::detection_range>(
                "detection_range",
                {.help = "how far it sees its target", .unit = "m", .min = 0, .max = kWorldLimit}),
            core::field<&Ai::cooldown>("cooldown", {.help = "time until it can hit again",
                                                    .unit = "s",
                                                    .min = 0,
                                                    .max = 3600,
                                                    .optional = true}));
    }
};

enum class Flag : std::uint8_t { alive, visible, hostile, elite, player, solid, collectible, boss };
constexpr std::array<std::string_view, 8> words(Flag) {
    return {"alive", "visible", "hostile", "elite", "player", "solid", "collectible", "boss"};
}

struct Flags {
    core::FlagSet<Flag> set;

    static consteval auto schema() {
        return core::describe("flags", "labels to find entities by; no system acts on them",
                              core::field<&Flags::set>("set"));
    }
};

struct Lifetime {
    double remaining = 60;

    static consteval auto schema() {
        return core::describe("lifetime", "destroys the entity when it has run out",
                              core::field<&Lifetime::remaining>(
                                  "remaining", {.help = "time left", .unit = "s", .min = 0, .max = 1e9}));
    }
};

template <class... Component>
struct TypeList {};

// The one list. Its order is that of component_types(): of GET, snapshots and the hash. Append only.
using Components = TypeList<Position, Velocity, Rotation, Health, Renderable, Ai, Flags, Lifetime>;

namespace detail {
template <class Component, class... All>
consteval std::uint8_t index_in(TypeList<All...>) {
    std::uint8_t index = 0;
    const bool is_there = ((std::is_same_v<Component, All> || (++index, false)) || ...);
    return is_there ? index : throw "not a component of the world";
}

constexpr std::size_t rounded_up(std::size_t bytes, std::size_t alignment) {
    return (bytes + alignment - 1) / alignment * alignment;
}
template <class... All>
consteval std::size_t total_bytes(TypeList<All...>, std::size_t alignment) {
    return (rounded_up(sizeof(All), alignment) + ...);
}
}  // namespace detail

// The place of a component in the list.
template <class Component>
inline constexpr std::uint8_t kIndexOf = detail::index_in<Component>(Components{});

}  // namespace evertick::world
