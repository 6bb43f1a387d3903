// Random walks of the registry against maps, over handles that never wear out and some that soon do.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "ecs/registry.hpp"
#include "tests/ecs/parts.hpp"
#include "tests/ecs/printing.hpp"

namespace evertick::ecs {
namespace {

using test::Frozen;
using test::Name;
using test::Position;

// What an entity should be.
struct Expected {
    std::optional<Name> name;
    std::optional<Position> position;
    bool frozen = false;
    bool operator==(const Expected&) const = default;
};

// What the registry says an entity is.
template <class E>
Expected actual(const BasicRegistry<E>& registry, E entity) {
    Expected found;
    if (const Name* name = registry.template try_get<Name>(entity)) found.name = *name;
    if (const Position* position = registry.template try_get<Position>(entity)) found.position = *position;
    found.frozen = registry.template has<Frozen>(entity);
    return found;
}

template <class E>
Expected actual_pending(const BasicRegistry<E>& registry, E entity) {
    Expected found;
    if (const Name* name = registry.template try_get_pending<Name>(entity)) found.name = *name;
    if (const Position* position = registry.template try_get_pending<Position>(entity))
        found.position = *position;
    found.frozen = registry.template try_get_pending<Frozen>(entity) != nullptr;
    return found;
}

template <class E>
class RegistryWalker {
  public:
    explicit RegistryWalker(std::uint64_t seed) : random_(seed) {}

    void step() {
        switch (random_.below(16)) {
            case 0:
            case 1:
            case 2: return create();
            case 3: return create_at();
            case 4: return destroy();
            case 5: return destroy_later();
            case 6: return sweep();
            case 7: return change_name();
            case 8: return change_position();
            case 9: return change_frozen();
            case 10: return destroy_in_view();
            case 11: return clear();
            default: return add_components();
        }
    }

    void check() {
        registry_.check_invariants();
        ASSERT_EQ(registry_.alive_count(), alive_.size());
        for (const auto& [entity, expected] : alive_) {
            ASSERT_TRUE(registry_.valid(entity)) << to_text(entity);
            ASSERT_EQ(actual(registry_, entity), expected) << to_text(entity);
            ASSERT_EQ(registry_.entity_at(entity.index()), entity);
        }
        ASSERT_EQ(registry_.pending().size(), pending_.size());
        for (std::size_t i = 0; i < pending_.size(); ++i) {
            const auto& [entity, expected] = pending_[i];
            ASSERT_EQ(registry_.pending()[i], entity);
            ASSERT_EQ(actual_pending(registry_, entity), expected) << to_text(entity);
        }
        for (const E entity : dead_)
            ASSERT_FALSE(registry_.valid(entity)) << to_text(entity) << " came back to life";
        check_views();
    }

  private:
    static constexpr std::size_t kCrowd = 12;  // few, so that slots are reused and wear out

    void check_views() {
        std::map<E, Expected> named, both, bare;
        for (const auto& [entity, expected] : alive_) {
            if (expected.name) named.insert({entity, expected});
            if (expected.name && expected.position) both.insert({entity, expected});
            if (expected.position && !expected.frozen) bare.insert({entity, expected});
        }
        const BasicRegistry<E>& registry = registry_;
        ASSERT_EQ(registry.template count<Name>(), named.size());
        check_view(registry.template view<Name>(), named);
        check_view(registry_.template view<Position, const Name>(), both);
        check_view(registry.template view<Position>(exclude<Frozen>), bare);
    }
    // Each expected entity once and nobody else, by range-for and by each().
    template <class View>
    void check_view(View view, const std::map<E, Expected>& expected) {
        ASSERT_GE(view.size_hint(), expected.size());
        std::multiset<E> walked, called;
        for (auto row : view) walked.insert(std::get<0>(row));
        view.each([&](E entity, auto&...) { called.insert(entity); });
        ASSERT_EQ(walked, called);
        ASSERT_EQ(walked.size(), expected.size());
        for (const auto& [entity, unused] : expected) ASSERT_EQ(walked.count(entity), 1U) << to_text(entity);
    }

    std::string text() {
        return "a text longer than the small buffer " + std::to_string(random_.below(1000));
    }
    auto any_alive() {
        return std::next(alive_.begin(), static_cast<std::ptrdiff_t>(random_.below(alive_.size())));
    }

    // Slots that are neither in use nor worn out.
    std::size_t slots_left() const {
        std::set<std::uint32_t> gone;
        for (const auto& [entity, unused] : alive_) gone.insert(entity.index());
        for (const auto& [entity, unused] : pending_) gone.insert(entity.index());
        for (const E entity : dead_)
            if (entity.generation() == E::kMaxGeneration) gone.insert(entity.index());
        return EntityPool<E>::kMaxSlots - gone.size();
    }

    void create() {
        if (alive_.size() >= kCrowd || slots_left() == 0) return;
        const E entity = registry_.create();
        ASSERT_FALSE(dead_.contains(entity)) << to_text(entity) << " was handed out before";
        ASSERT_TRUE(alive_.insert({entity, {}}).second) << to_text(entity);
    }
    // A random handle: it must be refused exactly when it is taken, waits for the sweep, or is stale.
    void create_at() {
        const E wished = E::from(static_cast<std::uint32_t>(random_.below(kCrowd)),
                                 static_cast<std::uint32_t>(random_.below(4)));
        bool possible = alive_.size() < kCrowd;
        const auto refuses = [&](E entity) {
            return entity.index() == wished.index() && entity.generation() >= wished.generation();
        };
        for (const E entity : dead_) possible = possible && !refuses(entity);
        for (const auto& [entity, unused] : pending_) possible = possible && entity.index() != wished.index();
        for (const auto& [entity, unused] : alive_) possible = possible && entity.index() != wished.index();
        if (alive_.size() >= kCrowd) return;
        ASSERT_EQ(registry_.create_at(wished), possible) << to_text(wished);
        if (possible) alive_.insert({wished, {}});
    }
    void destroy() {
        if (alive_.empty()) return;
        const auto victim = any_alive();
        ASSERT_TRUE(registry_.destroy(victim->first));
        ASSERT_FALSE(registry_.destroy(victim->first)) << "dies once";
        dead_.insert(victim->first);
        alive_.erase(victim);
    }
    void destroy_later() {
        if (alive_.empty()) return;
        const auto victim = any_alive();
        ASSERT_TRUE(registry_.destroy_later(victim->first));
        ASSERT_FALSE(registry_.destroy_later(victim->first)) << "dies once";
        pending_.push_back(*victim);
        alive_.erase(victim);
    }
    void sweep() {
        ASSERT_EQ(registry_.sweep(), pending_.size());
        for (const auto& [entity, unused] : pending_) dead_.insert(entity);
        pending_.clear();
    }
    void clear() {
        if (random_.below(20) != 0) return;  // seldom, or it would never grow
        registry_.clear();
        for (const auto& [entity, unused] : alive_) dead_.insert(entity);
        for (const auto& [entity, unused] : pending_) dead_.insert(entity);
        alive_.clear();
        pending_.clear();
    }
    void add_components() {
        if (alive_.empty()) return;
        auto& [entity, expected] = *any_alive();
        if (!expected.name) registry_.template emplace<Name>(entity, (expected.name = Name{text()})->text);
        if (!expected.position && random_.below(2) == 0)
            expected.position = registry_.template emplace<Position>(entity, 1.0F, 2.0F);
    }
    void change_name() {
        if (alive_.empty()) return;
        auto& [entity, expected] = *any_alive();
        if (random_.below(2) == 0) {
            ASSERT_EQ(registry_.template remove<Name>(entity), expected.name.has_value());
            expected.name.reset();
        } else {
            expected.name = registry_.template emplace_or_replace<Name>(entity, text());
        }
    }
    void change_position() {
        if (alive_.empty()) return;
        auto& [entity, expected] = *any_alive();
        if (!expected.position) return;
        expected.position =
            registry_.template patch<Position>(entity, [](Position& position) { ++position.x; });
    }
    void change_frozen() {
        if (alive_.empty()) return;
        auto& [entity, expected] = *any_alive();
        if (expected.frozen)
            ASSERT_TRUE(registry_.template remove<Frozen>(entity));
        else
            registry_.template emplace<Frozen>(entity);
        expected.frozen = !expected.frozen;
    }
    // Half of those with a name die while they are visited.
    void destroy_in_view() {
        if (random_.below(4) != 0) return;
        for (auto [entity, name] : registry_.template view<Name>()) {
            if (random_.below(2) == 0) continue;
            ASSERT_TRUE(registry_.destroy(entity));
            ASSERT_EQ(alive_.at(entity).name, name) << "still readable";
            alive_.erase(entity);
            dead_.insert(entity);
        }
    }

    core::Random random_;
    BasicRegistry<E> registry_;
    std::map<E, Expected> alive_;
    std::vector<std::pair<E, Expected>> pending_;
    std::set<E> dead_;
};

template <class E>
class RegistryWalk : public ::testing::Test {};
using Handles = ::testing::Types<Entity, BasicEntity<std::uint32_t>, BasicEntity<std::uint16_t>,
                                 BasicEntity<std::uint8_t>>;
TYPED_TEST_SUITE(RegistryWalk, Handles);

TYPED_TEST(RegistryWalk, EqualsMapsAfterEveryStep) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        RegistryWalker<TypeParam> walk(seed);
        for (int step = 0; step < 1500; ++step) {
            walk.step();
            walk.check();
            if (::testing::Test::HasFatalFailure()) FAIL() << "at step " << step;
        }
    }
}

}  // namespace
}  // namespace evertick::ecs
