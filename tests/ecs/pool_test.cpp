// What a pool promises of its components: addresses, construction, kinds of types, memory.

#include "ecs/pool.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <stdexcept>

#include "tests/core/tracked.hpp"
#include "tests/ecs/parts.hpp"

namespace evertick::ecs {
namespace {

using test::Tracked;

template <class T>
T& component(Pool<T>& pool, SparseSet::Index index) {
    return pool[pool.set().find(index)];
}

TEST(Pool, AddingMovesNoComponent) {
    Pool<test::Name> pool;
    const test::Name* const first = &pool.emplace(0);
    for (SparseSet::Index index = 1; index < 10'000; ++index) pool.emplace(index);
    EXPECT_EQ(&component(pool, 0), first);
    pool.check_invariants();
}

TEST(Pool, AggregatesAndConstructorsTakeArguments) {
    Pool<test::Position> positions;
    EXPECT_EQ(positions.emplace(0, 1.0F, 2.0F), (test::Position{1, 2}));
    EXPECT_EQ(positions.emplace(1, test::Position{3, 4}), (test::Position{3, 4}));
    EXPECT_EQ(positions.emplace(2), test::Position{});
    Pool<Tracked> tracked;
    EXPECT_EQ(tracked.emplace(0, 7).value, 7);
}

TEST(Pool, RemovingMovesTheLastComponentIntoTheGap) {
    Pool<Tracked> pool;
    for (int i = 0; i < 3; ++i) pool.emplace(static_cast<SparseSet::Index>(i), i);
    pool.erase(0);
    pool.check_invariants();
    EXPECT_EQ(component(pool, 1).value, 1);
    EXPECT_EQ(component(pool, 2).value, 2);
    EXPECT_EQ(pool.set().find(2), 0U);
}

TEST(Pool, WhileHeldRemovedComponentsLiveOnInPlace) {
    Tracked::reset();
    Pool<Tracked> pool;
    for (int i = 0; i < 3; ++i) pool.emplace(static_cast<SparseSet::Index>(i), i);
    const Tracked& first = component(pool, 0);
    const Tracked& last = component(pool, 2);
    pool.hold();
    pool.erase(0);
    EXPECT_EQ(Tracked::counts.live(), 3);
    EXPECT_EQ(first.value, 0);
    EXPECT_EQ(&component(pool, 2), &last);
    pool.release();
    pool.check_invariants();
    EXPECT_EQ(Tracked::counts.live(), 2);
    EXPECT_EQ(component(pool, 2).value, 2);
}

TEST(Pool, ConstructorsAndDestructorsBalance) {
    Tracked::reset();
    {
        Pool<Tracked> pool;
        for (int i = 0; i < 100; ++i) pool.emplace(static_cast<SparseSet::Index>(i), i);
        EXPECT_EQ(Tracked::counts.constructed, 100);
        for (SparseSet::Index index = 0; index < 50; ++index) pool.erase(index);
        EXPECT_EQ(Tracked::counts.live(), 50);
        pool.clear();
        EXPECT_EQ(Tracked::counts.live(), 0);
        pool.emplace(7, 7);
    }
    EXPECT_EQ(Tracked::counts.live(), 0);
}

TEST(Pool, AThrowingConstructorChangesNothing) {
    Tracked::reset();
    Pool<Tracked> pool;
    pool.emplace(0, 0);
    Tracked::counts.throw_after = 0;
    EXPECT_THROW(pool.emplace(1, 1), std::runtime_error);
    Tracked::reset();
    pool.check_invariants();
    EXPECT_FALSE(pool.set().contains(1));
    EXPECT_EQ(pool.emplace(1, 2).value, 2);
}

TEST(Pool, MoveOnlyAndOverAlignedComponentsWork) {
    Pool<test::Treasure> treasures;
    for (SparseSet::Index index = 0; index < 3; ++index)
        treasures.emplace(index, std::make_unique<int>(static_cast<int>(index)));
    treasures.erase(0);
    EXPECT_EQ(*component(treasures, 2).gold, 2);
    Pool<test::Wide> wide;
    for (SparseSet::Index index = 0; index < 1000; ++index)
        EXPECT_EQ(std::bit_cast<std::uintptr_t>(&wide.emplace(index)) % alignof(test::Wide), 0U);
}

TEST(Pool, TagsTakeNoStorage) {
    Pool<test::Frozen> tags;
    Pool<char> bytes;
    for (SparseSet::Index index = 0; index < 10'000; ++index) {
        tags.emplace(index);
        bytes.emplace(index, 'x');
    }
    EXPECT_EQ(tags.bytes().live, 10'000 * 8U) << "an index and a position each";
    EXPECT_EQ(bytes.bytes().live, 10'000 * 9U);
    EXPECT_EQ(tags.bytes().reserved, tags.set().bytes().reserved);
    EXPECT_EQ(&component(tags, 3), &component(tags, 4)) << "one stands for all";
    tags.erase(3);
    tags.check_invariants();
}

// Empty, but each one counts: not a tag.
struct Ghost {
    static inline int live = 0;
    Ghost() { ++live; }
    Ghost(Ghost&&) noexcept { ++live; }
    Ghost& operator=(Ghost&&) noexcept { return *this; }
    ~Ghost() { --live; }
};

TEST(Pool, AnEmptyTypeWithConstructorsIsConstructedForEachEntity) {
    Pool<Ghost> pool;
    for (SparseSet::Index index = 0; index < 5; ++index) pool.emplace(index);
    EXPECT_EQ(Ghost::live, 5);
    pool.erase(1);
    EXPECT_EQ(Ghost::live, 4);
    pool.clear();
    EXPECT_EQ(Ghost::live, 0);
}

TEST(PoolDeathTest, IsNotDestroyedUnderAHold) {
    EXPECT_DEATH(
        {
            Pool<test::Position> pool;
            pool.hold();
        },
        "Pool: destroyed while a view walks it");
}

}  // namespace
}  // namespace evertick::ecs
