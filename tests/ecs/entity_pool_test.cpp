// How slots of entities are handed out, freed, worn out, and taken at a wished handle.

#include "ecs/entity_pool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "tests/ecs/printing.hpp"

namespace evertick::ecs {
namespace {

using ::testing::ElementsAre;
using Small = BasicEntity<std::uint16_t>;  // 16 generations
using Tiny = BasicEntity<std::uint8_t>;    // 15 slots, 16 generations

template <class E>
std::vector<E> created(EntityPool<E>& pool, int count) {
    std::vector<E> entities;
    entities.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) entities.push_back(pool.create());
    pool.check_invariants();
    return entities;
}

TEST(EntityPool, HandsOutAscendingIndicesFromZero) {
    EntityPool<Entity> pool;
    EXPECT_THAT(created(pool, 3), ElementsAre(Entity::from(0, 0), Entity::from(1, 0), Entity::from(2, 0)));
    EXPECT_EQ(pool.alive_count(), 3U);
    EXPECT_EQ(pool.slot_count(), 3U);
}

TEST(EntityPool, ReusesTheSlotFreedLastWithTheNextGeneration) {
    EntityPool<Entity> pool;
    const auto entities = created(pool, 3);
    pool.release(entities[0]);
    pool.release(entities[1]);
    EXPECT_THAT(created(pool, 3), ElementsAre(Entity::from(1, 1), Entity::from(0, 1), Entity::from(3, 0)));
}

template <class E>
std::vector<E> free_ones(const EntityPool<E>& pool) {
    std::vector<E> entities;
    pool.each_free([&](E entity) { entities.push_back(entity); });
    return entities;
}

TEST(EntityPool, NamesThoseItWillMakeFromFreeSlots) {
    EntityPool<Entity> pool;
    EXPECT_THAT(free_ones(pool), ElementsAre());
    const auto entities = created(pool, 3000);
    for (std::uint32_t index = 0; index < 2500; ++index) pool.release(entities[(index * 7) % 2500]);
    const auto expected = free_ones(pool);
    ASSERT_EQ(expected.size(), 2500U);
    pool.trim();
    EXPECT_EQ(free_ones(pool), expected) << "trim() keeps the order, in another form";
    EXPECT_EQ(created(pool, 2500), expected);
    EXPECT_THAT(free_ones(pool), ElementsAre());
}

TEST(EntityPool, AHandleIsAliveOnlyBetweenCreateAndDestroy) {
    EntityPool<Entity> pool;
    const Entity first = Entity::from(0, 0);
    EXPECT_FALSE(pool.is_alive(first)) << "before it was created";
    EXPECT_EQ(pool.create(), first);
    EXPECT_TRUE(pool.is_alive(first));
    pool.release(first);
    EXPECT_FALSE(pool.is_alive(first)) << "after it was destroyed";
    EXPECT_FALSE(pool.is_alive(Entity::from(0, 1))) << "the next tenant, not created yet";
    EXPECT_FALSE(pool.is_alive(Entity::null));
}

TEST(EntityPool, RetiresASlotWhoseGenerationsAreUsedUp) {
    EntityPool<Small> pool;
    Small last;
    for (std::uint32_t generation = 0; generation <= Small::kMaxGeneration; ++generation) {
        last = pool.create();
        EXPECT_EQ(last, Small::from(0, generation));
        pool.release(last);
        pool.check_invariants();
    }
    EXPECT_EQ(pool.create(), Small::from(1, 0)) << "slot 0 is worn out";
    for (std::uint32_t generation = 0; generation <= Small::kMaxGeneration; ++generation)
        EXPECT_FALSE(pool.is_alive(Small::from(0, generation)));
    EXPECT_FALSE(pool.create_at(last)) << "not even on demand";
}

TEST(EntityPoolDeathTest, CreateAbortsWhenNoSlotIsLeft) {
    EntityPool<Tiny> pool;
    const auto entities = created(pool, EntityPool<Tiny>::kMaxSlots);
    EXPECT_EQ(entities.back(), Tiny::from(14, 0));
    EXPECT_DEATH(pool.create(), "EntityPool: no slot left");
}

TEST(EntityPool, CreateAtTakesAFreeSlotOutOfTheMiddleOfTheList) {
    EntityPool<Entity> pool;
    for (const Entity entity : created(pool, 3)) pool.release(entity);
    EXPECT_TRUE(pool.create_at(Entity::from(1, 5)));
    pool.check_invariants();
    EXPECT_TRUE(pool.is_alive(Entity::from(1, 5)));
    EXPECT_THAT(created(pool, 3), ElementsAre(Entity::from(2, 1), Entity::from(0, 1), Entity::from(3, 0)));
}

TEST(EntityPool, CreateAtFreesTheSlotsItPassesOver) {
    EntityPool<Entity> pool;
    EXPECT_TRUE(pool.create_at(Entity::from(3, 7)));
    EXPECT_EQ(pool.alive_count(), 1U);
    EXPECT_EQ(pool.slot_count(), 4U);
    EXPECT_THAT(created(pool, 4),
                ElementsAre(Entity::from(0, 0), Entity::from(1, 0), Entity::from(2, 0), Entity::from(4, 0)));
}

TEST(EntityPool, CreateAtRefusesWhatIsTakenStaleOrNull) {
    EntityPool<Entity> pool;
    const auto entities = created(pool, 3);
    pool.release(entities[1]);
    pool.doom(entities[2]);
    EXPECT_FALSE(pool.create_at(entities[0])) << "alive";
    EXPECT_FALSE(pool.create_at(Entity::from(0, 9))) << "its slot is taken";
    EXPECT_FALSE(pool.create_at(entities[1])) << "stale: it would come back to life";
    EXPECT_FALSE(pool.create_at(Entity::from(2, 9))) << "its slot waits for the sweep";
    EXPECT_FALSE(pool.create_at(Entity::null));
    EXPECT_FALSE(pool.create_at(Entity::from(EntityPool<Entity>::kMaxSlots, 0))) << "beyond the limit";
    EXPECT_EQ(pool.slot_count(), 3U) << "nothing was changed";
    pool.check_invariants();
}

TEST(EntityPool, TheDoomedAreInvalidListedInOrderAndFreedTogether) {
    EntityPool<Entity> pool;
    const auto entities = created(pool, 3);
    pool.doom(entities[2]);
    pool.doom(entities[0]);
    pool.check_invariants();
    EXPECT_FALSE(pool.is_alive(entities[2]));
    EXPECT_TRUE(pool.is_closed(entities[2]));
    EXPECT_EQ(pool.alive_count(), 1U);
    EXPECT_EQ(pool.alive_at(2), Entity::null);
    EXPECT_THAT(pool.pending(), ElementsAre(entities[2], entities[0]));
    EXPECT_EQ(pool.create(), Entity::from(3, 0)) << "their slots are still theirs";
    pool.free_pending();
    pool.check_invariants();
    EXPECT_TRUE(pool.pending().empty());
    EXPECT_THAT(created(pool, 2), ElementsAre(Entity::from(0, 1), Entity::from(2, 1)));
}

TEST(EntityPool, ClearMakesAllStaleAndStartsAgainFromTheLowestSlot) {
    EntityPool<Entity> pool;
    const auto entities = created(pool, 4);
    pool.release(entities[1]);
    pool.doom(entities[2]);
    pool.clear();
    pool.check_invariants();
    EXPECT_EQ(pool.alive_count(), 0U);
    EXPECT_TRUE(pool.pending().empty());
    for (const Entity entity : entities) EXPECT_FALSE(pool.is_alive(entity));
    EXPECT_THAT(created(pool, 4),
                ElementsAre(Entity::from(0, 1), Entity::from(1, 1), Entity::from(2, 1), Entity::from(3, 1)));
}

TEST(EntityPool, AscendingScanFindsTheAliveOnly) {
    EntityPool<Entity> pool;
    const auto entities = created(pool, 3);
    pool.release(entities[1]);
    EXPECT_EQ(pool.alive_at(0), entities[0]);
    EXPECT_EQ(pool.alive_at(1), Entity::null);
    EXPECT_EQ(pool.alive_at(2), entities[2]);
    EXPECT_EQ(pool.alive_at(3), Entity::null) << "never used";
    EXPECT_EQ(pool.alive_at(std::uint64_t{1} << 40), Entity::null) << "not an index at all";
}

TEST(EntityPool, AClosedEntityIsInvalidKeepsItsComponentsAndItsSlot) {
    EntityPool<Entity> pool;
    const auto entities = created(pool, 2);
    pool.add_components(1, 0b101);
    pool.close(entities[1]);
    pool.check_invariants();
    EXPECT_FALSE(pool.is_alive(entities[1]));
    EXPECT_TRUE(pool.is_closed(entities[1]));
    EXPECT_EQ(pool.mask_if_alive(entities[1]), 0U);
    EXPECT_EQ(pool.mask_if_closed(entities[1]), 0b101U);
    EXPECT_TRUE(pool.pending().empty()) << "it waits for no sweep";
    EXPECT_EQ(pool.create(), Entity::from(2, 0)) << "its slot is not free yet";
    pool.remove_components(1, 0b101);
    pool.free(1);
    pool.check_invariants();
    EXPECT_EQ(pool.create(), Entity::from(1, 1));
}

TEST(EntityPoolDeathTest, MisuseAborts) {
    EntityPool<Entity> pool;
    const auto entities = created(pool, 1);
    EXPECT_DEATH(pool.free(0), "the slot is not closed");
    pool.close(entities[0]);
    EXPECT_DEATH(pool.close(entities[0]), "the entity is not alive");
    EXPECT_DEATH(pool.doom(entities[0]), "the entity is not alive");
    EXPECT_DEATH(pool.release(entities[0]), "the entity is not alive");
}

TEST(EntityPool, TakesTwelveBytesASlotAndEightAfterAMassDeath) {
    EntityPool<Entity> pool;
    constexpr int kCount = 100'000;
    const auto entities = created(pool, kCount);
    EXPECT_LT(pool.bytes().reserved, kCount * 12.5);
    for (const Entity entity : entities) pool.release(entity);
    pool.trim();
    pool.check_invariants();
    EXPECT_LT(pool.bytes().reserved, kCount * 8);
}

TEST(EntityPool, TrimChangesNoGenerationAndNoOrderOfReuse) {
    EntityPool<Entity> pool;
    const auto entities = created(pool, 5000);
    for (std::uint32_t i = 0; i < 5000; ++i) pool.release(entities[i * 7 % 5000]);  // 7 and 5,000: every one
    pool.trim();
    pool.trim();
    for (const Entity entity : entities) ASSERT_FALSE(pool.is_alive(entity)) << to_text(entity);
    for (std::uint32_t i = 5000; i-- > 0;) ASSERT_EQ(pool.create(), Entity::from(i * 7 % 5000, 1));
    pool.check_invariants();
    EXPECT_EQ(pool.create(), Entity::from(5000, 0));
}

TEST(EntityPool, CreateAtFindsItsSlotAfterTrim) {
    EntityPool<Entity> pool;
    for (const Entity entity : created(pool, 3000)) pool.release(entity);
    pool.trim();
    EXPECT_TRUE(pool.create_at(Entity::from(1500, 1)));
    pool.check_invariants();
    EXPECT_TRUE(pool.create_at(Entity::from(5000, 0))) << "beyond a page that was packed";
    pool.check_invariants();
    EXPECT_THAT(created(pool, 2), ElementsAre(Entity::from(3000, 0), Entity::from(3001, 0)));
}

TEST(EntityPool, ATrimmedPoolCanBeClearedAndMoved) {
    EntityPool<Entity> from;
    for (const Entity entity : created(from, 3000)) from.release(entity);
    from.trim();
    EntityPool<Entity> pool = std::move(from);
    pool.clear();
    pool.check_invariants();
    EXPECT_THAT(created(pool, 2), ElementsAre(Entity::from(0, 1), Entity::from(1, 1)));
}

TEST(EntityPool, MovedFromIsEmptyAndUsable) {
    EntityPool<Entity> from;
    const auto entities = created(from, 2);
    from.release(entities[0]);
    EntityPool<Entity> to = std::move(from);
    EXPECT_TRUE(to.is_alive(entities[1]));
    EXPECT_EQ(from.alive_count(), 0U);  // NOLINT(bugprone-use-after-move): what it promises
    from.check_invariants();
    EXPECT_EQ(from.create(), Entity::from(0, 0));
}

}  // namespace
}  // namespace evertick::ecs
