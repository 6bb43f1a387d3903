// What keeps a world flat for weeks: churn at a constant population allocates nothing, however long.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/random.hpp"
#include "ecs/registry.hpp"
#include "tests/core/heap_counter.hpp"
#include "tests/ecs/parts.hpp"

namespace evertick::ecs {
namespace {

using test::Frozen;
using test::Position;
using test::Velocity;

// A world of a constant number of entities, all of which are replaced again and again.
class Churn {
  public:
    explicit Churn(std::size_t population) : entities_(population) {
        for (Entity& entity : entities_) entity = born();
    }
    void tick() {
        for (int i = 0; i < 100; ++i) replace(entities_[random_.below(entities_.size())]);
        registry_.sweep();
        registry_.view<Velocity>().each([this](Entity entity, Velocity&) {
            if (random_.below(10) != 0) return;
            registry_.remove<Velocity>(entity);
            registry_.emplace<Velocity>(entity);
        });
    }
    Bytes bytes() const { return registry_.bytes(); }

  private:
    Entity born() {
        const Entity entity = registry_.create();
        registry_.emplace<Position>(entity);
        registry_.emplace<Velocity>(entity);
        registry_.emplace<Frozen>(entity);
        return entity;
    }
    void replace(Entity& entity) {
        if (random_.below(2) == 0)
            registry_.destroy(entity);
        else
            registry_.destroy_later(entity);
        entity = born();
    }

    core::Random random_{7};
    Registry registry_;
    std::vector<Entity> entities_;
};

TEST(RegistrySteady, ChurnAllocatesNothing) {
    Churn churn(1000);
    for (int tick = 0; tick < 200; ++tick) churn.tick();  // as large as it gets
    const std::size_t reserved = churn.bytes().reserved;
    const std::size_t before = test::heap_allocations();
    for (int tick = 0; tick < 400; ++tick) churn.tick();
    EXPECT_EQ(test::heap_allocations(), before);
    EXPECT_EQ(churn.bytes().reserved, reserved);
}

TEST(RegistrySteady, ViewsAllocateNothing) {
    Registry registry;
    for (int i = 0; i < 1000; ++i) registry.emplace<Position>(registry.create());
    registry.view<Position>(exclude<Frozen>);  // makes the pools
    const std::size_t before = test::heap_allocations();
    for (auto [entity, position] : registry.view<Position>(exclude<Frozen>)) position.x = 1;
    registry.view<Position>().each([](Position& position) { position.y = 1; });
    EXPECT_EQ(test::heap_allocations(), before);
}

TEST(RegistrySteady, A100000EntitiesLiveAndDie) {
    Registry registry;
    std::vector<Entity> entities;
    for (int i = 0; i < 100'000; ++i) {
        const Entity entity = entities.emplace_back(registry.create());
        registry.emplace<Position>(entity, static_cast<float>(i), 0.0F);
        if (i % 2 == 0) registry.emplace<Velocity>(entity, 1.0F, 0.0F);
    }
    registry.view<Position, const Velocity>().each(
        [](Position& at, const Velocity& velocity) { at.x += velocity.x; });
    for (const std::uint32_t i : {0U, 1U, 99'998U, 99'999U})
        EXPECT_EQ(registry.get<Position>(entities[i]).x, static_cast<float>(i % 2 == 0 ? i + 1 : i));
    for (std::size_t i = 0; i < entities.size(); i += 3) registry.destroy_later(entities[i]);
    EXPECT_EQ(registry.sweep(), 33'334U);
    EXPECT_EQ(registry.alive_count(), 66'666U);
    EXPECT_EQ(registry.count<Position>(), 66'666U);
    registry.check_invariants();
}

TEST(RegistrySteady, BytesAreThoseOfTheEntitiesAndPools) {
    Registry registry;
    EXPECT_EQ(registry.bytes().live, 0U);
    EXPECT_EQ(registry.bytes<Position>(), Bytes{});
    for (int i = 0; i < 1000; ++i) registry.emplace<Position>(registry.create());
    EXPECT_EQ(registry.bytes<Position>().live, 1000 * (sizeof(Position) + 8))
        << "a position in dense and sparse each";
    EXPECT_EQ(registry.bytes().live, 1000 * (sizeof(Position) + 8 + 12)) << "and 12 bytes an entity";
    EXPECT_GE(registry.bytes().reserved, registry.bytes().live);
    EXPECT_EQ(registry.bytes(registry.entity_at(0)), sizeof(Position) + 8 + 12);
    EXPECT_LT(registry.bytes().reserved, 120'000U);
}

}  // namespace
}  // namespace evertick::ecs
