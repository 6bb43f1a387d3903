// Random walks of SparseSet against a vector of slots, with and without holds.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "ecs/sparse_set.hpp"

namespace evertick::ecs {
namespace {

using Index = SparseSet::Index;

// A slot as it should be; nothing: a hole.
struct Slot {
    Index index;
    bool pending = false;
    bool operator==(const Slot&) const = default;
};
using Slots = std::vector<std::optional<Slot>>;

Slots actual(const SparseSet& set) {
    Slots slots;
    for (std::size_t i = 0; i < set.slot_count(); ++i) {
        const Index slot = set.slots(i, 1).front();
        if (slot == ~Index{0})
            slots.emplace_back();
        else
            slots.push_back(Slot{slot & ~SparseSet::kMark, slot >= SparseSet::kMark});
    }
    return slots;
}

class SparseSetWalker {
  public:
    explicit SparseSetWalker(std::uint64_t seed) : random_(seed) {}

    void step() {
        switch (random_.below(13)) {
            case 0:
            case 1:
            case 2:
            case 3: return insert();
            case 4:
            case 5: return erase();
            case 6: return mark();
            case 7: return hold();
            case 8: return release();
            case 9: return set_.trim();
            case 10:
            case 11: return swap();
            default: return clear();
        }
    }
    void check() const {
        set_.check_invariants();
        ASSERT_EQ(actual(set_), expected_);
        for (Index index = 0; index < 40; ++index) {
            const auto at = find(spread(index));
            const bool visible = at != expected_.end() && !(*at)->pending;
            ASSERT_EQ(set_.contains(spread(index)), visible) << "index " << spread(index);
            if (visible) {
                ASSERT_EQ(set_.find(spread(index)), at - expected_.begin());
            }
        }
    }

  private:
    static Index spread(Index index) { return index * 700; }  // over several pages
    Slots::const_iterator find(Index index) const {
        return std::ranges::find_if(expected_,
                                    [index](const auto& slot) { return slot && slot->index == index; });
    }
    Index any() { return spread(static_cast<Index>(random_.below(40))); }

    void insert() {
        const Index index = any();
        if (find(index) != expected_.end()) return;
        set_.prepare(index);
        set_.insert(index);
        expected_.push_back(Slot{index});
    }
    void erase() {
        const Index index = any();
        const auto at = find(index);
        if (at == expected_.end()) return;
        const auto position = static_cast<std::size_t>(at - expected_.begin());
        const auto gap = set_.erase(index);
        ASSERT_EQ(gap, holds_ == 0 ? position : SparseSet::kNone);
        expected_[position].reset();
        if (holds_ == 0) close(position);
    }
    void mark() {
        const Index index = any();
        const auto at = find(index);
        if (at == expected_.end() || (*at)->pending) return;
        set_.mark_pending(index);
        expected_[static_cast<std::size_t>(at - expected_.begin())]->pending = true;
    }
    void swap() {
        if (holds_ > 0 || expected_.empty()) return;
        const auto a = static_cast<SparseSet::Position>(random_.below(expected_.size()));
        const auto b = static_cast<SparseSet::Position>(random_.below(expected_.size()));
        set_.swap_slots(a, b);
        std::swap(expected_[a], expected_[b]);
    }
    void hold() {
        if (holds_ == 3) return;
        set_.hold();
        ++holds_;
    }
    void release() {
        if (holds_ == 0) return;
        set_.release();
        if (--holds_ > 0) return;
        for (auto gap = set_.close_hole(); gap != SparseSet::kNone; gap = set_.close_hole()) {
            ASSERT_FALSE(expected_.at(gap).has_value()) << "there is no hole at " << gap;
            close(gap);
        }
    }
    void clear() {
        if (random_.below(20) != 0) return;  // seldom, or it would never grow
        ASSERT_EQ(set_.clear(), holds_ == 0);
        if (holds_ == 0) expected_.clear();
        for (auto& slot : expected_) slot.reset();
    }
    void close(std::size_t position) {
        std::swap(expected_[position], expected_.back());
        expected_.pop_back();
    }

    core::Random random_;
    SparseSet set_;
    Slots expected_;
    int holds_ = 0;
};

TEST(SparseSetWalk, EqualsAVectorOfSlotsAfterEveryStep) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        SparseSetWalker walk(seed);
        for (int step = 0; step < 1000; ++step) {
            walk.step();
            walk.check();
            if (::testing::Test::HasFatalFailure()) FAIL() << "at step " << step;
        }
    }
}

}  // namespace
}  // namespace evertick::ecs
