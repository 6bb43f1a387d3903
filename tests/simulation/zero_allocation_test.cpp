// A tick in steady state asks the heap for nothing (O8).

#include <gtest/gtest.h>

#include "core/mem_stack.hpp"
#include "core/page_source.hpp"
#include "server/systems/schedule.hpp"
#include "server/world/query.hpp"
#include "server/world/scenario.hpp"
#include "tests/core/heap_counter.hpp"
#include "tests/simulation/battlefield.hpp"

namespace evertick {
namespace {

constexpr core::Seconds kTick{1.0 / 30};
constexpr int kWarmUp = 500;  // until the crowd has been in every page of slots that it ever is in
constexpr int kSteady = 1000;
constexpr std::size_t kFighters = 1000;

// What `ticks` ticks took from the heap and from the page source.
struct Taken {
    std::size_t allocations;
    std::size_t page_bytes;
    bool operator==(const Taken&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Taken& taken) {
    return out << taken.allocations << " heap allocations and " << taken.page_bytes << " bytes of pages";
}

template <class Tick>
Taken taken_by(int ticks, Tick tick) {
    const std::size_t allocations = test::heap_allocations();
    const std::size_t page_bytes = core::PageSource::process().stats().committed_bytes();
    for (int i = 0; i < ticks; ++i) tick();
    return {test::heap_allocations() - allocations,
            core::PageSource::process().stats().committed_bytes() - page_bytes};
}

TEST(ZeroAllocation, TheCounterCounts) {
    const std::size_t before = test::heap_allocations();
    ::operator delete(::operator new(1));
    EXPECT_GT(test::heap_allocations(), before);
}

TEST(ZeroAllocation, TheDemoWithABattleInItTicksWithoutTheHeap) {
    world::World world(1);
    world::load_demo(world);
    world.regen_ticks = test::kBattleRegenTicks;
    core::MemStack scratch;
    const auto tick = [&] {
        test::reinforce(world, kFighters);
        systems::step(world, kTick, scratch);
    };
    taken_by(kWarmUp, tick);
    const world::Counters before = world.counters;
    EXPECT_EQ(taken_by(kSteady, tick), (Taken{0, 0}));
    EXPECT_GT(world.registry.alive_count(), 10'000U);
    EXPECT_GT(world.counters.expired, before.expired + 1000) << "the churn was part of it";
    EXPECT_GT(world.counters.deaths, before.deaths + 100) << "the dying was part of it";
}

TEST(ZeroAllocation, AWorldThatIsAskedInEveryTickDoesWithoutTheHeap) {
    world::World world(1);
    world::load_demo(world);
    core::MemStack scratch;
    std::size_t found = 0;
    const auto tick = [&] {
        systems::step(world, kTick, scratch);
        const core::MemMark mark(scratch);
        found += world::count(world, {.region = world::Near{{}, 50}}, scratch);
        const world::Filter box{.region = world::Box{{-50, -1, -50}, {50, 1, 50}}};
        found += world::select(world, box, 1000, 0, scratch).entities.size();
        found += world::select(world, {.region = world::Nearest{{}, 10}}, 10, 0, scratch).entities.size();
    };
    taken_by(kWarmUp, tick);
    EXPECT_EQ(taken_by(kSteady, tick), (Taken{0, 0}));
    EXPECT_EQ(world.spatial_index.rebuilds(), kWarmUp + kSteady) << "once for each tick";
    EXPECT_GT(found, kSteady * 100);
}

}  // namespace
}  // namespace evertick
