// What view_changes_test.cpp says of a few entities, for so many that they are looked up ahead: in runs where
// the pools have the same order, in batches where half of them match at random, one by one where all do in
// another order.

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "ecs/registry.hpp"
#include "tests/ecs/parts.hpp"
#include "tests/ecs/printing.hpp"

namespace evertick::ecs {
namespace {

using test::Frozen;
using test::Position;
using test::Velocity;

enum class Layout { runs, batches, shuffled };

struct ViewRuns : ::testing::TestWithParam<Layout> {
    static constexpr std::size_t kCount = 3000;
    Registry registry;
    core::Random random{5};
    std::vector<Entity> visited;

    ViewRuns() {
        std::vector<Entity> entities(kCount);
        for (Entity& entity : entities) entity = registry.create();
        for (const Entity entity : entities)
            if (is_chosen()) registry.emplace<Position>(entity);
        if (GetParam() == Layout::shuffled)
            for (std::size_t i = kCount; i > 1; --i) std::swap(entities[i - 1], entities[random.below(i)]);
        for (const Entity entity : entities)
            if (is_chosen()) registry.emplace<Velocity>(entity);
    }
    ~ViewRuns() override { registry.check_invariants(); }

    bool is_chosen() { return GetParam() != Layout::batches || random.below(2) == 0; }
    bool matches(Entity entity) const {
        return registry.has<Position>(entity) && registry.has<Velocity>(entity) &&
               !registry.has<Frozen>(entity);
    }
    // Those that match, in the order of the walk, one by one.
    std::vector<Entity> matching() const {
        std::vector<Entity> entities;
        for (auto row : registry.view<Position, Velocity>(exclude<Frozen>))
            entities.push_back(std::get<0>(row));
        return entities;
    }
    // Visits all; change(entity) may change anything.
    template <class Change>
    void walk(Change change) {
        registry.view<Position, const Velocity>(exclude<Frozen>)
            .each([&](Entity entity, Position& position, const Velocity& velocity) {
                ASSERT_TRUE(registry.valid(entity)) << to_text(entity) << " is dead";
                ASSERT_EQ(&position, registry.try_get<Position>(entity)) << to_text(entity);
                ASSERT_EQ(&velocity, registry.try_get<Velocity>(entity)) << to_text(entity);
                visited.push_back(entity);
                change(entity);
            });
    }
};

TEST_P(ViewRuns, VisitInTheOrderOfTheSmallestPool) {
    walk([](Entity) {});
    EXPECT_EQ(visited, matching());
    EXPECT_GT(visited.size(), kCount / 5);
}

TEST_P(ViewRuns, LeaveOutTheExcludedAndTheDoomed) {
    for (const Entity entity : matching()) {
        if (random.below(3) == 0) registry.emplace<Frozen>(entity);
        if (random.below(3) == 0) registry.destroy_later(entity);
    }
    walk([](Entity) {});
    EXPECT_EQ(visited, matching());
    for (const Entity entity : visited) ASSERT_TRUE(matches(entity)) << to_text(entity);
}

TEST_P(ViewRuns, EveryEntityMayDestroyItself) {
    const auto expected = matching();
    walk([&](Entity entity) { registry.destroy(entity); });
    EXPECT_EQ(visited, expected);
    EXPECT_TRUE(matching().empty());
}

TEST_P(ViewRuns, OneThatIsChangedBeforeItsTurnIsJudgedThen) {
    const auto before = matching();
    std::vector<Entity> expected;
    for (std::size_t i = 0; i < before.size(); ++i)  // each third visits and strikes out the next two
        if (i % 3 == 0) expected.push_back(before[i]);
    std::size_t at = 0;
    walk([&](Entity entity) {
        ASSERT_EQ(entity, before[at]);
        if (at + 1 < before.size()) registry.destroy(before[at + 1]);
        if (at + 2 < before.size() && at % 2 == 0) registry.emplace<Frozen>(before[at + 2]);
        if (at + 2 < before.size() && at % 2 == 1) registry.remove<Velocity>(before[at + 2]);
        at += 3;
    });
    EXPECT_EQ(visited, expected);
}

TEST_P(ViewRuns, OneThatComesToMatchBeforeItsTurnIsVisited) {
    const auto before = matching();
    for (const Entity entity : before)
        if (entity != before.front()) registry.emplace<Frozen>(entity);
    std::size_t next = 1;
    walk([&](Entity) {
        if (next < before.size()) registry.remove<Frozen>(before[next++]);
    });
    EXPECT_EQ(visited, before);
}

TEST_P(ViewRuns, NewcomersAreNotVisited) {
    const auto before = matching();
    walk([&](Entity entity) {
        if (random.below(4) == 0) {
            const Entity newcomer = registry.create();
            registry.emplace<Position>(newcomer);
            registry.emplace<Velocity>(newcomer);
        }
        if (random.below(4) == 0) {
            registry.remove<Position>(entity);
            registry.remove<Velocity>(entity);
            registry.emplace<Velocity>(entity);
            registry.emplace<Position>(entity);
        }
    });
    EXPECT_EQ(visited, before);
}

TEST_P(ViewRuns, AnExceptionLeavesNoHoldBehind) {
    const auto before = matching();
    const std::size_t last = before.size() / 2;
    EXPECT_THROW(walk([&](Entity entity) {
                     registry.destroy(entity);
                     if (entity == before[last]) throw std::runtime_error("out of the middle");
                 }),
                 std::runtime_error);
    EXPECT_EQ(visited.size(), last + 1);
    registry.check_invariants();  // without a hold there are no holes
    EXPECT_EQ(matching().size(), before.size() - visited.size());
}

// The tables that lookups go through grow, and move.
TEST_P(ViewRuns, ACrowdOfNewcomersDisturbsNothing) {
    const auto before = matching();
    walk([&](Entity entity) {
        if (entity != before[20]) return;
        for (int i = 0; i < 100'000; ++i) registry.emplace<Velocity>(registry.create());
    });
    EXPECT_EQ(visited, before);
}

struct Unlucky {
    explicit Unlucky(bool fails) {
        if (fails) throw std::runtime_error("not constructed");
    }
};

// A page is made for the one that fails, though no entity enters.
TEST_P(ViewRuns, AnEmplaceThatFailsDisturbsNothing) {
    const auto before = matching();
    for (const Entity entity : before) registry.emplace<Unlucky>(entity, false);
    for (int i = 0; i < 100'000; ++i) registry.create();
    std::size_t count = 0;
    registry.view<Position, Unlucky>().each([&](Position&, Unlucky&) {
        if (++count == 20) {
            EXPECT_THROW(registry.emplace<Unlucky>(registry.create(), true), std::runtime_error);
        }
    });
    EXPECT_EQ(count, before.size());
}

INSTANTIATE_TEST_SUITE_P(Layouts, ViewRuns,
                         ::testing::Values(Layout::runs, Layout::batches, Layout::shuffled),
                         [](const auto& param) {
                             return param.param == Layout::runs      ? "Runs"
                                    : param.param == Layout::batches ? "Batches"
                                                                     : "Shuffled";
                         });

}  // namespace
}  // namespace evertick::ecs
