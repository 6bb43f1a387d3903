// Random changes from inside nested iterations, against what a view promises of its visits.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "ecs/registry.hpp"
#include "tests/ecs/parts.hpp"
#include "tests/ecs/printing.hpp"

namespace evertick::ecs {
namespace {

using test::Name;
using test::Position;

class ViewWalker {
  public:
    explicit ViewWalker(std::uint64_t seed) : random_(seed) {
        for (int i = 0; i < 30; ++i) add();
    }

    // Iterates names and positions and changes something at every visit.
    void iterate(int depth) {
        std::map<Entity, const Name*> due;  // who must be visited, unless something happens to them
        for (auto [entity, name, position] : registry_.view<Name, Position>()) due[entity] = &name;
        expectations_.push_back(due);
        registry_.view<Name, Position>().each([&](Entity entity, Name& name, Position&) {
            ASSERT_TRUE(registry_.valid(entity)) << to_text(entity) << " is dead";
            const auto visit = expectations_.back().find(entity);
            ASSERT_NE(visit, expectations_.back().end())
                << to_text(entity) << " came late, or was visited before";
            ASSERT_EQ(visit->second, &name) << "its name has moved";
            expectations_.back().erase(visit);
            for (int i = 0; i < 3; ++i) change();
            if (depth > 0 && random_.below(8) == 0) iterate(depth - 1);
        });
        for (const auto& [entity, name] : expectations_.back())
            ADD_FAILURE() << to_text(entity) << " was skipped";
        expectations_.pop_back();
        registry_.check_invariants();
    }

  private:
    void change() {
        if (registry_.alive_count() == 0) return add();
        const Entity entity = any();
        switch (random_.below(6)) {
            case 0: return gone(entity), void(registry_.destroy(entity));
            case 1: return gone(entity), void(registry_.destroy_later(entity));
            case 2:
                gone(entity);
                registry_.remove<Name>(entity);
                if (random_.below(2) == 0) registry_.emplace<Name>(entity);
                return;
            case 3:
                if (random_.below(8) == 0) registry_.sweep();
                return;
            default: return add();
        }
    }
    // Nobody expects a visit to this entity any more.
    void gone(Entity entity) {
        for (auto& expected : expectations_) expected.erase(entity);
    }
    void add() {
        if (registry_.alive_count() >= 60) return;
        const Entity entity = registry_.create();
        registry_.emplace<Name>(entity);
        registry_.emplace<Position>(entity);
    }
    Entity any() {
        for (;;)
            if (const Entity entity = registry_.entity_at(random_.below(registry_.index_count()));
                entity != Entity::null)
                return entity;
    }

    core::Random random_;
    Registry registry_;
    std::vector<std::map<Entity, const Name*>> expectations_;  // of the iterations under way, outermost first
};

TEST(ViewWalk, VisitsEachOnceWhateverHappensMeanwhile) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        ViewWalker walk(seed);
        for (int round = 0; round < 10; ++round) walk.iterate(3);
        if (::testing::Test::HasFailure()) FAIL();
    }
}

}  // namespace
}  // namespace evertick::ecs
