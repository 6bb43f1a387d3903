// What SparseSet promises of finding, order, memory, pending entities and holds.

#include "ecs/sparse_set.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <utility>
#include <vector>

namespace evertick::ecs {
namespace {

using ::testing::ElementsAre;
using Index = SparseSet::Index;

void insert(SparseSet& set, std::initializer_list<Index> indices) {
    for (const Index index : indices) {
        set.prepare(index);
        set.insert(index);
    }
    set.check_invariants();
}

void insert_unchecked(SparseSet& set, Index index) {
    set.prepare(index);
    set.insert(index);
}

// The slots in order, as a walk sees them.
std::vector<Index> walked(const SparseSet& set) {
    std::vector<Index> indices;
    for (std::size_t i = 0; i < set.slot_count(); ++i)
        if (const Index slot = set.slots(i, 1).front(); slot < SparseSet::kMark) indices.push_back(slot);
    return indices;
}

// Ends a hold as a pool does. Returns the gaps that were closed.
std::vector<SparseSet::Position> release(SparseSet& set) {
    std::vector<SparseSet::Position> gaps;
    set.release();
    if (set.is_held()) return gaps;
    for (auto gap = set.close_hole(); gap != SparseSet::kNone; gap = set.close_hole()) gaps.push_back(gap);
    set.check_invariants();
    return gaps;
}

TEST(SparseSet, FindsWhatWasInsertedAtItsPosition) {
    SparseSet set;
    insert(set, {5, 3, 2000});
    EXPECT_EQ(set.size(), 3U);
    EXPECT_EQ(set.find(5), 0U);
    EXPECT_EQ(set.find(3), 1U);
    EXPECT_EQ(set.find(2000), 2U);
    for (const Index absent : {4U, 1999U, 5000U, SparseSet::kMaxIndex})
        EXPECT_FALSE(set.contains(absent)) << "index " << absent;
}

TEST(SparseSet, TheLastTakesThePlaceOfARemovedOne) {
    SparseSet set;
    insert(set, {5, 3, 8, 9});
    EXPECT_EQ(set.erase(3), 1U);
    set.check_invariants();
    EXPECT_THAT(walked(set), ElementsAre(5, 9, 8));
    EXPECT_FALSE(set.contains(3));
    EXPECT_EQ(set.erase(8), 2U);
    EXPECT_THAT(walked(set), ElementsAre(5, 9));
}

TEST(SparseSet, AHugeIndexCostsOnePageAndNotTheGap) {
    SparseSet set;
    insert(set, {100'000'000});
    EXPECT_TRUE(set.contains(100'000'000));
    EXPECT_LT(set.bytes().reserved, 2'000'000U) << "400 MB if the gap had pages";
}

TEST(SparseSet, APendingOneIsHiddenButKeepsItsPlace) {
    SparseSet set;
    insert(set, {5, 3, 8});
    set.mark_pending(3);
    set.check_invariants();
    EXPECT_FALSE(set.contains(3));
    EXPECT_EQ(set.size(), 2U);
    EXPECT_FALSE(set.is_packed());
    EXPECT_THAT(walked(set), ElementsAre(5, 8));
    EXPECT_EQ(set.position_of(3), 1U);
    EXPECT_EQ(set.erase(3), 1U);
    set.check_invariants();
    EXPECT_TRUE(set.is_packed());
    EXPECT_THAT(walked(set), ElementsAre(5, 8));
}

TEST(SparseSet, APendingOneThatMovesIsStillFound) {
    SparseSet set;
    insert(set, {5, 3, 8});
    set.mark_pending(8);
    set.erase(5);
    set.check_invariants();
    EXPECT_EQ(set.position_of(8), 0U);
    EXPECT_FALSE(set.contains(8));
}

TEST(SparseSet, NothingMovesWhileHeld) {
    SparseSet set;
    insert(set, {5, 3, 8, 9});
    set.hold();
    EXPECT_EQ(set.erase(3), SparseSet::kNone);
    set.check_invariants();
    EXPECT_THAT(walked(set), ElementsAre(5, 8, 9));
    EXPECT_EQ(set.find(9), 3U);
    EXPECT_EQ(set.size(), 3U);
    insert(set, {3});
    EXPECT_EQ(set.find(3), 4U) << "back again, at the end";
    EXPECT_THAT(release(set), ElementsAre(1));
    EXPECT_THAT(walked(set), ElementsAre(5, 3, 8, 9));
}

TEST(SparseSet, HolesAreClosedAfterTheLastHoldOnly) {
    SparseSet set;
    insert(set, {5, 3, 8});
    set.hold();
    set.hold();
    set.erase(5);
    EXPECT_THAT(release(set), ElementsAre());
    EXPECT_EQ(set.slot_count(), 3U);
    EXPECT_THAT(release(set), ElementsAre(0));
    EXPECT_THAT(walked(set), ElementsAre(8, 3));
}

TEST(SparseSet, HolesAtTheEndAreClosedFirst) {
    SparseSet set;
    insert(set, {5, 3, 8, 9, 7});
    set.hold();
    for (const Index index : {9U, 5U, 7U}) set.erase(index);
    EXPECT_THAT(release(set), ElementsAre(4, 3, 0));
    EXPECT_THAT(walked(set), ElementsAre(8, 3));
}

TEST(SparseSet, ClearLeavesHolesWhileHeld) {
    SparseSet set;
    insert(set, {5, 3, 8});
    set.mark_pending(3);
    set.hold();
    EXPECT_FALSE(set.clear());
    set.check_invariants();
    EXPECT_EQ(set.size(), 0U);
    EXPECT_EQ(set.slot_count(), 3U);
    release(set);
    EXPECT_EQ(set.slot_count(), 0U);
    insert(set, {5});
    EXPECT_TRUE(set.clear());
    set.check_invariants();
    EXPECT_FALSE(set.contains(5));
}

TEST(SparseSet, SwappedSlotsAreFoundWhereTheyAre) {
    SparseSet set;
    insert(set, {5, 3, 8});
    set.mark_pending(8);
    set.swap_slots(0, 2);
    set.swap_slots(1, 1);
    set.check_invariants();
    EXPECT_EQ(set.find(5), 2U);
    EXPECT_EQ(set.position_of(8), 0U);
    EXPECT_FALSE(set.contains(8)) << "still pending";
    EXPECT_THAT(walked(set), ElementsAre(3, 5));
}

TEST(SparseSet, EveryChangeIsCounted) {
    SparseSet set;
    auto before = set.changes();
    const auto expect_change = [&](const char* what) {
        EXPECT_NE(std::exchange(before, set.changes()), set.changes()) << what;
    };
    insert(set, {5, 3, 8});
    expect_change("insert");
    set.swap_slots(0, 1);
    expect_change("swap_slots");
    set.mark_pending(3);
    expect_change("mark_pending");
    set.erase(3);
    expect_change("erase");
    set.hold();
    set.erase(5);
    expect_change("erase while held");
    release(set);
    expect_change("closing holes");
    set.prepare(100'000);
    expect_change("a new page");
    set.trim();
    expect_change("trim");
    set.clear();
    expect_change("clear");
    EXPECT_FALSE(set.contains(5));
    EXPECT_EQ(before, set.changes()) << "asking changes nothing";
}

TEST(SparseSet, TrimGivesBackWhatHoldsNoEntity) {
    SparseSet set;
    for (Index index = 0; index < 100'000; ++index) insert_unchecked(set, index);
    EXPECT_GT(set.bytes().reserved, 800'000U);
    for (Index index = 0; index < 100'000; ++index)
        if (index != 50'000) set.erase(index);
    set.trim();
    set.check_invariants();
    EXPECT_THAT(walked(set), ElementsAre(50'000));
    EXPECT_LT(set.bytes().reserved, 22'000U) << "a page, a chunk, and 8 bytes for every page below";
    set.erase(50'000);
    set.trim();
    set.check_invariants();
    EXPECT_EQ(set.bytes().reserved, 0U);
    insert(set, {7});
    EXPECT_EQ(set.find(7), 0U);
}

TEST(SparseSet, ThinlySpreadEntitiesCostOnePageEach) {
    SparseSet set;
    constexpr Index kCount = 1'000'000 / 4096;
    for (Index i = 0; i < kCount; ++i) insert_unchecked(set, i * 4096);
    set.trim();
    EXPECT_LT(set.bytes().reserved / kCount, 4300U);
}

TEST(SparseSetDeathTest, MisuseAborts) {
    SparseSet set;
    insert(set, {5});
    set.hold();
    EXPECT_DEATH(set.swap_slots(0, 0), "slots do not move while a view walks them");
    set.release();
    EXPECT_DEATH(set.insert(5), "in the set already");
    EXPECT_DEATH(set.erase(6), "not in the set");
    EXPECT_DEATH(set.mark_pending(6), "not in the set");
    EXPECT_DEATH(set.prepare(SparseSet::kMaxIndex + 1), "index too large");
    EXPECT_DEATH(set.release(), "release without a hold");
}

}  // namespace
}  // namespace evertick::ecs
