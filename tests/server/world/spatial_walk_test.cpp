// Random lives of worlds, the index asked after every step, against looking at everyone.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/mem_stack.hpp"
#include "server/world/spatial_index.hpp"
#include "tests/server/world/crowd.hpp"

namespace evertick::world {
namespace {

using ecs::Entity;
using test::Spread;

constexpr std::uint64_t kSeeds = 2;
constexpr int kSteps = 40;
constexpr std::size_t kCrowd = 700;

// --- what may happen ----------------------------------------------------------------------------------

Entity somebody(World& world) {
    return world.registry.entity_at(world.random.below(world.registry.index_count() + 1));
}

void move(World& world, const Spread& spread) {
    if (Position* const position = world.registry.try_get<Position>(somebody(world))) {
        *position = spread.draw(world.random);
    }
}

void move_one(World& world, const Spread& spread) {
    const Entity entity = somebody(world);
    if (Position* const position = world.registry.try_get<Position>(entity)) {
        *position = spread.draw(world.random);
        world.spatial_index.touch(entity);
    }
}

void give_position(World& world, const Spread& spread) {
    const Entity entity = somebody(world);
    if (!world.registry.valid(entity)) return;
    world.registry.emplace_or_replace<Position>(entity, spread.draw(world.random));
    world.spatial_index.touch(entity);
}

void change_between_ticks(World& world, const Spread& spread) {
    for (std::uint64_t i = world.random.below(40); i > 0; --i) {
        switch (world.random.below(8)) {
            case 0:
            case 1: test::settle(world, spread.draw(world.random)); break;
            case 2:
            case 3: move_one(world, spread); break;
            case 4: world.registry.destroy(somebody(world)); break;
            case 5: world.registry.destroy_later(somebody(world)); break;
            case 6: world.registry.remove<Position>(somebody(world)); break;
            default: give_position(world, spread);
        }
    }
}

void tick(World& world, const Spread& spread) {
    world.spatial_index.invalidate();
    for (std::size_t i = 0; i < kCrowd; ++i) move(world, spread);
    world.registry.sweep();
}

// --- the oracle ---------------------------------------------------------------------------------------

template <class Contains>
std::vector<Entity> all_in(const World& world, Contains contains) {
    std::vector<Entity> found;
    for (const Entity entity : world.registry.entities())
        if (const Position* p = world.registry.try_get<Position>(entity); p != nullptr && contains(point(*p)))
            found.push_back(entity);
    return found;
}

std::vector<Entity> nearest_of(const World& world, std::vector<Entity> entities, const Vector3& centre,
                               std::size_t count) {
    std::ranges::sort(entities, Nearer{}, [&](Entity entity) {
        return Neighbour{squared_distance(centre, point(world.registry.get<Position>(entity))), entity};
    });
    entities.resize(std::min(entities.size(), count));
    return entities;
}

// --- questions ----------------------------------------------------------------------------------------

template <class Shape>
std::vector<Entity> found_in(const World& world, const Shape& shape) {
    std::vector<Entity> found;
    world.spatial_index.each_in(world.registry, shape, [&](Entity entity) { found.push_back(entity); });
    std::ranges::sort(found, {}, &Entity::index);
    return found;
}

std::vector<Entity> found_nearest(const World& world, const Vector3& centre, std::size_t count, double most,
                                  core::MemStack& stack) {
    const core::MemMark mark(stack);
    Neighbours kept(stack, count, most);
    world.spatial_index.find_nearest(world.registry, centre, kept,
                                     [](Entity entity) { return entity.index() % 3 != 0; });
    std::vector<Entity> found;
    for (const Neighbour& each : kept.sorted(stack)) found.push_back(each.entity);
    return found;
}

// Often exactly where somebody stands.
Vector3 place(World& world, const Spread& spread) {
    const Position* const taken = world.registry.try_get<Position>(somebody(world));
    return point(taken != nullptr ? *taken : spread.draw(world.random));
}

void ask_box(World& world, const Spread& spread) {
    const Box box = ordered({place(world, spread), place(world, spread)});
    const auto expected = all_in(world, [&](const Vector3& p) { return contains(box, p); });
    EXPECT_EQ(found_in(world, box), expected);
    EXPECT_GE(world.spatial_index.bound(box, 1'000'000), expected.size());
}

// The radius often ends exactly at somebody.
void ask_near(World& world, const Spread& spread, core::MemStack& stack) {
    Near near{place(world, spread), 0};
    const double distance = std::sqrt(squared_distance(near.centre, place(world, spread)));
    near.radius = static_cast<float>(distance);
    auto expected = all_in(world, [&](const Vector3& p) { return contains(near, p); });
    EXPECT_EQ(found_in(world, near), expected);
    EXPECT_GE(world.spatial_index.bound(near, 1'000'000), expected.size());

    std::erase_if(expected, [](Entity entity) { return entity.index() % 3 == 0; });
    const std::size_t count = 1 + world.random.below(20);
    EXPECT_EQ(found_nearest(world, near.centre, count, squared_radius(near), stack),
              nearest_of(world, expected, near.centre, count));
}

void ask_nearest(World& world, const Spread& spread, core::MemStack& stack) {
    const Vector3 centre = place(world, spread);
    const std::size_t count = 1 + world.random.below(world.random.below(4) == 0 ? 2 * kCrowd : 12);
    auto everyone = all_in(world, [](const Vector3&) { return true; });
    std::erase_if(everyone, [](Entity entity) { return entity.index() % 3 == 0; });
    EXPECT_EQ(found_nearest(world, centre, count, std::numeric_limits<double>::infinity(), stack),
              nearest_of(world, everyone, centre, count));
}

void live(std::uint64_t seed, const Spread& spread) {
    World world(seed);
    core::MemStack stack;
    test::settle_many(world, kCrowd, spread);
    for (int step = 0; step < kSteps && !testing::Test::HasFailure(); ++step) {
        SCOPED_TRACE(testing::Message() << spread.name << ", seed " << seed << ", step " << step);
        if (world.random.below(4) == 0)
            tick(world, spread);
        else
            change_between_ticks(world, spread);
        const core::MemMark mark(stack);
        world.spatial_index.refresh(world.registry, stack);
        world.spatial_index.check_invariants(world.registry);
        ask_box(world, spread);
        ask_near(world, spread, stack);
        ask_nearest(world, spread, stack);
    }
}

class SpatialWalk : public testing::TestWithParam<Spread> {};

TEST_P(SpatialWalk, AgreesWithLookingAtEveryone) {
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) live(seed, GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, SpatialWalk, testing::ValuesIn(test::kSpreads), [](const auto& spread) {
    std::string name;
    for (const char c : spread.param.name) name += c == ' ' || c == ',' ? '_' : c;
    return name;
});

}  // namespace
}  // namespace evertick::world
