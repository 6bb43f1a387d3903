// What a registry does when memory runs out, at each allocation of a change in turn: all of it or nothing.

#include <gtest/gtest.h>

#include <new>
#include <vector>

#include "ecs/registry.hpp"
#include "tests/core/heap_counter.hpp"
#include "tests/ecs/parts.hpp"

namespace evertick::ecs {
namespace {

using test::FailingHeap;
using test::Position;
using test::Velocity;

struct World {
    Registry registry;
    std::vector<Entity> entities;
    std::vector<Connection> connections;

    explicit World(bool has_group, bool has_listener) {
        for (int i = 0; i < 20; ++i) {
            entities.push_back(registry.create());
            registry.emplace<Position>(entities.back());
            if (i % 2 == 0) registry.emplace<Velocity>(entities.back());
        }
        if (has_group) registry.group<Position, Velocity>();
        if (has_listener)
            connections.push_back(
                registry.on_destroy<Position>().connect([](Registry&, Entity, Position&) {}));
    }
    std::vector<ComponentMask> masks() const {
        std::vector<ComponentMask> masks;
        for (const Entity entity : entities)
            masks.push_back(registry.valid(entity) ? registry.mask(entity) : ~ComponentMask{0});
        return masks;
    }
    std::vector<Entity> order() const {
        std::vector<Entity> order;
        for (const auto [entity, position] : registry.view<Position>()) order.push_back(entity);
        return order;
    }
};

// Makes the change with each of its allocations failing in turn.
template <class Change>
void expect_all_or_nothing(World (*make)(), Change change) {
    bool failed = true;
    for (std::size_t others = 0; failed; ++others) {
        World world = make();
        const auto masks = world.masks();
        const auto order = world.order();
        bool threw = false;
        {
            const FailingHeap heap(others);
            try {
                change(world);
            } catch (const std::bad_alloc&) {
                threw = true;
            }
            failed = FailingHeap::has_failed();
        }
        SCOPED_TRACE(testing::Message() << "allocation " << others << (threw ? " threw" : ""));
        world.registry.check_invariants();
        if (threw) {
            EXPECT_EQ(world.masks(), masks) << "an entity has changed";
            EXPECT_EQ(world.order(), order) << "a pool has another order";
        }
        world.registry.clear();
        world.registry.check_invariants();
    }
}

template <bool kHasGroup, bool kHasListener>
World world() {
    return World(kHasGroup, kHasListener);
}
constexpr World (*kWorlds[])() = {world<false, false>, world<false, true>, world<true, false>,
                                  world<true, true>};

template <class Change>
void expect_all_or_nothing(Change change) {
    for (World (*const make)() : kWorlds) {
        expect_all_or_nothing(make, change);
        expect_all_or_nothing(make, [&](World& world) {
            for ([[maybe_unused]] auto both : world.registry.view<Position, const Velocity>()) {
                change(world);
                break;
            }
        });
    }
}

TEST(ShortMemory, RemovingIsAllOrNothing) {
    expect_all_or_nothing([](World& world) { world.registry.remove<Position>(world.entities[4]); });
    expect_all_or_nothing([](World& world) { world.registry.remove<Velocity>(world.entities[4]); });
}

TEST(ShortMemory, DestroyingIsAllOrNothing) {
    expect_all_or_nothing([](World& world) { world.registry.destroy(world.entities[4]); });
    expect_all_or_nothing([](World& world) { world.registry.destroy_later(world.entities[4]); });
}

TEST(ShortMemory, ClearingIsAllOrNothing) {
    expect_all_or_nothing([](World& world) { world.registry.clear(); });
}

TEST(ShortMemory, SweepingNeedsNone) {
    for (World (*const make)() : kWorlds) {
        World world = make();
        for (const Entity entity : world.entities) world.registry.destroy_later(entity);
        const FailingHeap heap(0);
        EXPECT_EQ(world.registry.sweep(), world.entities.size());
        world.registry.check_invariants();
    }
}

TEST(ShortMemory, AddingIsAllOrNothing) {
    expect_all_or_nothing([](World& world) { world.registry.emplace<Velocity>(world.entities[5]); });
    expect_all_or_nothing([](World& world) { world.registry.clone(world.entities[4]); });
    expect_all_or_nothing([](World& world) { world.registry.create_at(Entity::from(9'000, 3)); });
}

// Holes that could not be noted are closed all the same.
TEST(ShortMemory, HolesAreClosedWithoutANote) {
    World world(false, false);
    for ([[maybe_unused]] auto one : world.registry.view<Position>()) {
        const FailingHeap heap(0);
        for (const std::size_t i : {3U, 0U, 19U, 7U, 18U}) world.registry.destroy(world.entities[i]);
        EXPECT_TRUE(FailingHeap::has_failed());
        break;
    }
    world.registry.check_invariants();
    EXPECT_EQ(world.order().size(), 15U);
}

}  // namespace
}  // namespace evertick::ecs
