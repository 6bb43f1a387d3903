// What an observer notes, and when.

#include "ecs/observer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include "tests/core/heap_counter.hpp"
#include "tests/ecs/parts.hpp"
#include "tests/ecs/printing.hpp"

namespace evertick::ecs {

static void PrintTo(const Observer::Report& report, std::ostream* out) {
    *out << to_text(report.entity) << " with changes " << int{report.changes};
}

namespace {

using test::Frozen;
using test::Name;
using test::Position;
using test::Velocity;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Report = Observer::Report;

constexpr std::uint8_t kAdded = Observer::kAdded;
constexpr std::uint8_t kChanged = Observer::kChanged;
constexpr std::uint8_t kRemoved = Observer::kRemoved;

struct ObserverTest : ::testing::Test {
    std::optional<Registry> registry{std::in_place};
    Entity wolf = registry->create();
    Entity deer = registry->create();
};

TEST_F(ObserverTest, NotesWhatIsAddedChangedAndRemoved) {
    Observer observer = Observer::of<Position>(*registry);
    registry->emplace<Position>(wolf);
    EXPECT_THAT(observer.drain(), ElementsAre(Report{wolf, kAdded}));
    registry->patch<Position>(wolf, [](Position& position) { position.x = 1; });
    EXPECT_THAT(observer.drain(), ElementsAre(Report{wolf, kChanged}));
    registry->remove<Position>(wolf);
    EXPECT_THAT(observer.drain(), ElementsAre(Report{wolf, kRemoved}));
    EXPECT_THAT(observer.drain(), IsEmpty());
}

TEST_F(ObserverTest, ReportsEachHandleOnceInOrderOfFirstReport) {
    registry->emplace<Position>(deer);
    Observer observer = Observer::of<Position>(*registry);
    registry->replace<Position>(deer, 1.0F, 1.0F);
    registry->emplace<Position>(wolf);
    registry->patch<Position>(wolf, [](Position&) {});
    registry->remove<Position>(deer);
    registry->emplace<Position>(deer);
    EXPECT_EQ(observer.size(), 2U);
    EXPECT_THAT(observer.drain(),
                ElementsAre(Report{deer, kChanged | kRemoved | kAdded}, Report{wolf, kAdded | kChanged}));
}

TEST_F(ObserverTest, ReportsHandlesThatDiedSince) {
    Observer observer = Observer::of<Position>(*registry);
    registry->emplace<Position>(wolf);
    registry->emplace<Position>(deer);
    registry->destroy(wolf);
    registry->destroy_later(deer);
    EXPECT_THAT(observer.drain(), ElementsAre(Report{wolf, kAdded | kRemoved}, Report{deer, kAdded}));
    registry->sweep();
    EXPECT_THAT(observer.drain(), ElementsAre(Report{deer, kRemoved}));
    EXPECT_FALSE(registry->valid(deer));
}

TEST_F(ObserverTest, TellsTheTenantsOfASlotApart) {
    Observer observer = Observer::of<Position>(*registry);
    registry->emplace<Position>(deer);
    registry->destroy(deer);
    const Entity next = registry->create();
    ASSERT_EQ(next.index(), deer.index());
    registry->emplace<Position>(next);
    EXPECT_THAT(observer.drain(), ElementsAre(Report{deer, kAdded | kRemoved}, Report{next, kAdded}));
}

TEST_F(ObserverTest, ObservesSeveralTypesAndNoOthers) {
    Observer observer = Observer::of<Position, Frozen>(*registry);
    registry->emplace<Velocity>(deer);
    registry->emplace<Frozen>(wolf);
    registry->emplace<Position>(wolf);
    EXPECT_THAT(observer.drain(), ElementsAre(Report{wolf, kAdded}));
    registry->remove<Frozen>(wolf);
    EXPECT_THAT(observer.drain(), ElementsAre(Report{wolf, kRemoved}));
}

TEST_F(ObserverTest, WhatHappensWhileReadingIsForTheNextTime) {
    Observer observer = Observer::of<Position>(*registry);
    registry->emplace<Position>(wolf);
    registry->emplace<Position>(deer);
    for (const Report& report : observer.drain()) registry->remove<Position>(report.entity);
    EXPECT_THAT(observer.drain(), ElementsAre(Report{wolf, kRemoved}, Report{deer, kRemoved}));
}

TEST_F(ObserverTest, EachObserverHasNotesOfItsOwn) {
    Observer first = Observer::of<Position>(*registry);
    registry->emplace<Position>(wolf);
    Observer second = Observer::of<Position>(*registry);
    EXPECT_EQ(first.drain().size(), 1U);
    EXPECT_TRUE(second.empty()) << "from now on";
    registry->remove<Position>(wolf);
    EXPECT_THAT(first.drain(), ElementsAre(Report{wolf, kRemoved}));
    EXPECT_THAT(second.drain(), ElementsAre(Report{wolf, kRemoved}));
}

TEST_F(ObserverTest, MayBeMovedAndGoInEitherOrder) {
    std::vector<Observer> observers;
    for (int i = 0; i < 3; ++i) observers.push_back(Observer::of<Position>(*registry));  // moved as it grows
    registry->emplace<Position>(wolf);
    observers.erase(observers.begin());
    registry->emplace<Position>(deer);
    for (Observer& observer : observers)
        EXPECT_THAT(observer.drain(), ElementsAre(Report{wolf, kAdded}, Report{deer, kAdded}));
    Registry moved = std::move(*registry);
    moved.remove<Position>(wolf);
    registry.reset();
    EXPECT_THAT(observers.front().drain(), ElementsAre(Report{wolf, kRemoved})) << "it follows the move";
}

TEST_F(ObserverTest, ObservingAllocatesNothingInTheLongRun) {
    Observer observer = Observer::of<Position>(*registry);
    const auto round = [&] {
        registry->emplace<Position>(wolf);
        registry->emplace<Position>(deer);
        registry->remove<Position>(wolf);
        registry->remove<Position>(deer);
        EXPECT_EQ(observer.drain().size(), 2U);
    };
    for (int i = 0; i < 3; ++i) round();
    const std::size_t before = test::heap_allocations();
    for (int i = 0; i < 10; ++i) round();
    EXPECT_EQ(test::heap_allocations(), before);
}

}  // namespace
}  // namespace evertick::ecs
