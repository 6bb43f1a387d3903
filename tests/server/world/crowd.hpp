#pragma once
// Worlds full of entities for the spatial tests, spread in every way that an index might mind.

#include <array>
#include <cmath>
#include <string_view>

#include "core/random.hpp"
#include "server/world/components.hpp"
#include "server/world/world.hpp"

namespace evertick::test {

struct Spread {
    std::string_view name;
    world::Position (*draw)(core::Random&);
};

inline float coordinate(core::Random& random, double limit) {
    return static_cast<float>(random.between(-limit, limit));
}

inline constexpr std::array kSpreads{
    Spread{"a plane",
           [](core::Random& r) {
               return world::Position{.x = coordinate(r, 500), .y = 0, .z = coordinate(r, 500)};
           }},
    Spread{"a cube",
           [](core::Random& r) {
               return world::Position{coordinate(r, 50), coordinate(r, 50), coordinate(r, 50)};
           }},
    Spread{"a line", [](core::Random& r) { return world::Position{.x = coordinate(r, 1e6)}; }},
    Spread{"one point", [](core::Random&) { return world::Position{.x = 3, .y = -4, .z = 5}; }},
    Spread{"a lattice with many ties",
           [](core::Random& r) {
               const auto whole = [&] { return static_cast<float>(r.below(7)) - 3; };
               world::Position p;
               p.x = whole();
               p.y = whole();
               p.z = whole();
               return p;
           }},
    Spread{"a lattice on the borders of cells",
           [](core::Random& r) {
               const auto whole = [&] { return static_cast<float>(r.below(17)); };  // halved to the last
               world::Position p;
               p.x = whole();
               p.z = whole();
               return p;
           }},
    Spread{"two crowds at opposite ends of the world",
           [](core::Random& r) {
               const float end = r.below(2) == 0 ? world::kWorldLimit : -world::kWorldLimit;
               const auto near_end = [&] { return end - std::copysign(static_cast<float>(r.below(9)), end); };
               world::Position p;
               p.x = near_end();
               p.y = near_end();
               p.z = near_end();
               return p;
           }},
    Spread{"a crowd and a straggler now and then",
           [](core::Random& r) {
               const double limit = r.below(50) == 0 ? world::kWorldLimit : 1;
               return world::Position{coordinate(r, limit), coordinate(r, limit), coordinate(r, limit)};
           }},
    Spread{"all magnitudes, down to denormals and both zeros",
           [](core::Random& r) {
               const auto any = [&] {
                   const auto power = static_cast<int>(r.below(180)) - 155;
                   const float value = std::ldexp(1.0F, std::min(power, 25));
                   return r.below(2) == 0 ? value : -value;
               };
               world::Position p;
               p.x = r.below(5) == 0 ? -0.0F : any();
               p.y = any();
               p.z = r.below(5) == 0 ? 0.0F : any();
               return p;
           }},
};

// A new entity at that place, of which the index is told.
inline ecs::Entity settle(world::World& world, const world::Position& position) {
    const ecs::Entity entity = world.registry.create();
    world.registry.emplace<world::Position>(entity, position);
    world.spatial_index.touch(entity);
    return entity;
}

inline void settle_many(world::World& world, std::size_t count, const Spread& spread) {
    for (std::size_t i = 0; i < count; ++i) settle(world, spread.draw(world.random));
}

}  // namespace evertick::test
