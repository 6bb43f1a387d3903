#pragma once
// The same entities for each subject: who has what, in which order it was given to them.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "core/verify.hpp"
#include "ecs/entity.hpp"
#include "tests/bench/ecs/components.hpp"

namespace evertick::bench {

using Indices = std::vector<std::uint32_t>;

inline Indices all_of(std::size_t count) {
    Indices indices(count);
    std::iota(indices.begin(), indices.end(), 0);
    return indices;
}
inline Indices shuffled(Indices indices, core::Random& random) {
    for (std::size_t i = indices.size(); i > 1; --i) std::swap(indices[i - 1], indices[random.below(i)]);
    return indices;
}
// Each with a chance of one half, in order.
inline Indices half_of(std::size_t count, core::Random& random) {
    Indices indices = all_of(count);
    std::erase_if(indices, [&random](std::uint32_t) { return random.below(2) == 0; });
    return indices;
}

// Whose component of each type is added, in this order.
struct Plan {
    std::size_t entities;
    Indices positions, velocities, bodies;
};

inline Plan plan_all(std::size_t count) { return {count, all_of(count), all_of(count), all_of(count)}; }
inline Plan plan_half(std::size_t count) {
    core::Random random(1);
    return {count, all_of(count), half_of(count, random), {}};
}
inline Plan plan_coins(std::size_t count) {
    core::Random random(2);
    Indices positions = half_of(count, random);
    return {count, std::move(positions), half_of(count, random), {}};
}
inline Plan plan_shuffled(std::size_t count) {
    core::Random random(3);
    Indices positions = shuffled(all_of(count), random);
    return {count, std::move(positions), shuffled(all_of(count), random), {}};
}

inline Velocity velocity_of(std::uint32_t index) { return {.x = static_cast<float>(index % 7), .y = 1}; }

// Everyone's component at the place of their index, and whether it counts.
struct PlainArrays {
    explicit PlainArrays(const Plan& plan)
        : positions(plan.entities),
          velocities(plan.entities),
          bodies(plan.entities),
          has_position(plan.entities),
          has_velocity(plan.entities) {
        for (const std::uint32_t index : plan.positions) has_position[index] = 1;
        for (const std::uint32_t index : plan.velocities) {
            has_velocity[index] = 1;
            velocities[index] = velocity_of(index);
        }
    }
    std::vector<Position> positions;
    std::vector<Velocity> velocities;
    std::vector<Body> bodies;
    std::vector<std::uint8_t> has_position, has_velocity;
};

// A registry, ours or the textbook's.
template <class Registry>
struct Population {
    explicit Population(const Plan& plan) {
        for (std::size_t i = 0; i < plan.entities; ++i) entities.push_back(registry.create());
        for (const std::uint32_t index : plan.positions) registry.template emplace<Position>(entities[index]);
        for (const std::uint32_t index : plan.velocities)
            registry.template emplace<Velocity>(entities[index], velocity_of(index));
        for (const std::uint32_t index : plan.bodies) registry.template emplace<Body>(entities[index]);
    }
    Registry registry;
    std::vector<ecs::Entity> entities;
};

// All moved alike, bit for bit, or the comparison is worth nothing.
template <class Registry>
void verify_agreement(const PlainArrays& arrays, Population<Registry>& population) {
    for (std::size_t i = 0; i < population.entities.size(); ++i) {
        if (arrays.has_position[i] == 0) continue;
        const Position& other = population.registry.template get<Position>(population.entities[i]);
        core::verify(arrays.positions[i].x == other.x && arrays.positions[i].y == other.y,
                     "the subjects moved alike");
    }
}

}  // namespace evertick::bench
