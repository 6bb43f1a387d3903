// Random walks of EntityPool against plain vectors, over enough slots for several pages. The vectors know
// nothing of trim(), which therefore must change nothing.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "ecs/entity_pool.hpp"
#include "tests/ecs/printing.hpp"

namespace evertick::ecs {
namespace {

template <class E>
class EntityPoolWalker {
  public:
    explicit EntityPoolWalker(std::uint64_t seed) : random_(seed) {}

    void step() {
        switch (random_.below(10)) {
            case 0:
            case 1:
            case 2: return create_some();
            case 3:
            case 4: return end_some(false);
            case 5: return end_some(true);
            case 6: return create_at();
            case 7: return free_pending();
            case 8: return clear();
            default: return pool_.trim();
        }
    }
    void check() {
        pool_.check_invariants();
        ASSERT_EQ(pool_.slot_count(), generations_.size());
        ASSERT_EQ(pool_.alive_count(), alive_.size());
        for (const E entity : alive_) ASSERT_TRUE(pool_.is_alive(entity)) << to_text(entity);
        for (const E entity : pending_) ASSERT_TRUE(pool_.is_closed(entity)) << to_text(entity);
        for (const std::uint32_t index : free_)
            ASSERT_EQ(pool_.alive_at(index), E::null) << "slot " << index << " is free";
        for (std::uint32_t index = 0; index < generations_.size(); ++index)
            ASSERT_TRUE(pool_.is_current(E::from(index, generations_[index]))) << "slot " << index;
    }

  private:
    static constexpr std::uint32_t kCrowd = 3000;

    void create_some() {
        for (std::uint64_t left = random_.below(600); left > 0 && alive_.size() < kCrowd; --left) {
            std::uint32_t index = static_cast<std::uint32_t>(generations_.size());
            if (!free_.empty()) {
                index = free_.back();
                free_.pop_back();
            } else if (index < EntityPool<E>::kMaxSlots) {
                generations_.push_back(0);
            } else {
                return;
            }
            alive_.push_back(E::from(index, generations_[index]));
            ASSERT_EQ(pool_.create(), alive_.back());
        }
    }
    // Half of the time nearly all, so that whole pages come free.
    void end_some(bool later) {
        const std::size_t keep = random_.below(2) == 0 ? random_.below(20) : random_.below(alive_.size() + 1);
        while (alive_.size() > keep) {
            std::swap(alive_[random_.below(alive_.size())], alive_.back());
            const E entity = alive_.back();
            alive_.pop_back();
            if (later) {
                pool_.doom(entity);
                pending_.push_back(entity);
            } else {
                if (random_.below(2) == 0) {
                    pool_.release(entity);
                } else {
                    pool_.close(entity);
                    pool_.free(entity.index());
                }
                end_tenancy(entity);
            }
        }
    }
    void free_pending() {
        pool_.free_pending();
        for (const E entity : pending_) end_tenancy(entity);
        pending_.clear();
    }
    void end_tenancy(E entity) {
        if (entity.generation() == E::kMaxGeneration) return;
        ++generations_[entity.index()];
        free_.push_back(entity.index());
    }
    void create_at() {
        const auto index = static_cast<std::uint32_t>(random_.below(std::min(kCrowd, E::kNullIndex)));
        const auto at = std::ranges::find(free_, index);
        const bool is_new = index >= generations_.size();
        const std::uint32_t generation = is_new ? 0 : generations_[index];
        ASSERT_EQ(pool_.create_at(E::from(index, generation)), is_new || at != free_.end());
        if (!is_new && at == free_.end()) return;
        if (!is_new) free_.erase(at);
        const auto first_new = static_cast<std::uint32_t>(generations_.size());
        if (is_new) generations_.resize(index + std::size_t{1});
        for (std::uint32_t passed = index; passed > first_new; --passed) free_.push_back(passed - 1);
        alive_.push_back(E::from(index, generation));
    }
    void clear() {
        if (random_.below(4) != 0) return;
        pool_.clear();
        for (const E entity : alive_) end_tenancy(entity);
        for (const E entity : pending_) end_tenancy(entity);
        std::ranges::sort(free_, std::greater<>());
        alive_.clear();
        pending_.clear();
    }

    core::Random random_;
    EntityPool<E> pool_;
    std::vector<std::uint32_t> generations_;
    std::vector<std::uint32_t> free_;  // the last one is used first
    std::vector<E> alive_;
    std::vector<E> pending_;
};

template <class E>
class EntityPoolWalk : public ::testing::Test {};
using Handles = ::testing::Types<Entity, BasicEntity<std::uint32_t>, BasicEntity<std::uint16_t>,
                                 BasicEntity<std::uint8_t>>;
TYPED_TEST_SUITE(EntityPoolWalk, Handles);

TYPED_TEST(EntityPoolWalk, EqualsVectorsAfterEveryStep) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        EntityPoolWalker<TypeParam> walk(seed);
        for (int step = 0; step < 300; ++step) {
            walk.step();
            walk.check();
            if (::testing::Test::HasFatalFailure()) FAIL() << "at step " << step;
        }
    }
}

}  // namespace
}  // namespace evertick::ecs
