#pragma once
// A random program: every step does the same to a registry and to the oracle.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "ecs/command_buffer.hpp"
#include "ecs/observer.hpp"
#include "ecs/registry.hpp"
#include "tests/ecs/oracle.hpp"
#include "tests/ecs/oracle_compare.hpp"
#include "tests/ecs/printing.hpp"

namespace evertick::test {

class Program {
    using E = ecs::BasicEntity<std::uint16_t>;  // 4-bit generations: slots wear out
    using World = ecs::BasicRegistry<E>;
    using Expected = Oracle<E>;

  public:
    explicit Program(std::uint64_t seed) : random_(seed) {
        Tracked::reset();
        ecs::component_mask<Part<0>, Part<1>, Part<2>, Part<3>, Flag>();  // numbered in this order
        for (std::uint64_t count = random_.below(kCrowd); count > 0; --count) create();
        for (std::uint64_t count = random_.below(4 * kCrowd); count > 0; --count) {
            const E entity = any_alive();
            emplace(entity, any_type());
        }
    }

    void step() {
        switch (random_.below(20)) {
            case 0: return make_group();
            case 1: return sort(any_type());
            case 2: return observe();
            case 3: return drain();
            case 4: return toggle_rules();
            case 5: return registry_.trim();
            case 6: return defer();
            case 7:
            case 8: return walk();
            case 9: return clear();
            case 10: return sweep();
            case 11: return move();
            default: return change();
        }
    }

    void check() {
        compare(registry_, oracle_);
        if (observer_) {
            ASSERT_EQ(observer_->size(), oracle_.reports.size());
        }
    }

    // Stands for every order in which the registry is iterated now.
    std::uint64_t digest() {
        std::uint64_t digest = 14695981039346656037U;  // FNV-1a
        for (int type = 0; type < kTypes; ++type)
            with_type(type, [&]<class T>() {
                for (const E entity : visited<E, T>(registry_.view<T>()))
                    digest = (digest ^ entity.raw) * 1099511628211U;
            });
        return digest;
    }

  private:
    static constexpr std::size_t kCrowd = 24;

    // --- changing both ---

    int any_type() { return static_cast<int>(random_.below(kTypes)); }
    int any_number() { return static_cast<int>(random_.below(6)); }  // few, so that sorting meets equal ones
    // A valid entity, or null when there is none.
    E any_alive() {
        if (oracle_.alive.empty()) return E::null;
        return std::next(oracle_.alive.begin(),
                         static_cast<std::ptrdiff_t>(random_.below(oracle_.alive.size())))
            ->first;
    }
    E any_handle() {
        if (oracle_.dead.empty() || random_.below(4) != 0) return any_alive();
        return *std::next(oracle_.dead.begin(),
                          static_cast<std::ptrdiff_t>(random_.below(oracle_.dead.size())));
    }

    // One change to one entity.
    void change() {
        const E entity = any_handle();
        switch (random_.below(12)) {
            case 0:
            case 1:
            case 2: return create();
            case 3: return destroy(entity);
            case 4: return doom(entity);
            case 5: return clone(entity);
            case 6: return patch(entity, any_type());
            case 7:
            case 8: return remove(entity, any_type());
            default: return emplace(entity, any_type());
        }
    }
    void create() {
        if (oracle_.alive.size() >= kCrowd) return;
        const E entity = registry_.create();
        ASSERT_FALSE(oracle_.dead.contains(entity)) << to_text(entity) << " was handed out before";
        ASSERT_TRUE(oracle_.alive.insert({entity, {}}).second) << to_text(entity);
    }
    void destroy(E entity) {
        const bool is_alive = oracle_.alive.contains(entity);
        ASSERT_EQ(registry_.destroy(entity), is_alive);
        if (is_alive) oracle_.destroy(entity);
    }
    void doom(E entity) {
        const bool is_alive = oracle_.alive.contains(entity);
        ASSERT_EQ(registry_.destroy_later(entity), is_alive);
        if (is_alive) oracle_.doom(entity);
    }
    void clone(E entity) {
        if (oracle_.alive.size() >= kCrowd) return;
        const E copy = registry_.clone(entity);
        ASSERT_EQ(copy != E::null, oracle_.alive.contains(entity));
        if (copy == E::null) return;
        oracle_.alive.insert({copy, {}});
        oracle_.clone(entity, copy);
    }
    void emplace(E entity, int type) {
        const int number = type == kFlag ? 0 : any_number();
        const bool expected = oracle_.alive.contains(entity) && !oracle_.has(entity, type);
        with_type(type, [&]<class T>() {
            if constexpr (std::is_same_v<T, Flag>)
                ASSERT_EQ(registry_.try_emplace<T>(entity) != nullptr, expected);
            else
                ASSERT_EQ(registry_.try_emplace<T>(entity, number) != nullptr, expected);
        });
        if (expected) oracle_.emplace(entity, type, number);
    }
    void patch(E entity, int type) {
        if (!oracle_.has(entity, type) || type == kFlag) return;
        const int number = any_number();
        with_type(type, [&]<class T>() {
            if constexpr (std::is_same_v<T, Flag>)
                registry_.patch<T>(entity, [](T&) {});
            else if (random_.below(2) == 0)
                registry_.patch<T>(entity, [&](T& component) { component.value = number; });
            else
                registry_.emplace_or_replace<T>(entity, number);
        });
        oracle_.patch(entity, type, number);
    }
    void remove(E entity, int type) {
        const bool expected = oracle_.has(entity, type);
        with_type(type, [&]<class T>() { ASSERT_EQ(registry_.remove<T>(entity), expected); });
        if (expected) oracle_.remove(entity, type);
    }
    void sweep() {
        ASSERT_EQ(registry_.sweep(), oracle_.pending.size());
        oracle_.sweep();
    }
    void clear() {
        if (random_.below(8) != 0) return;
        registry_.clear();
        oracle_.clear();
    }
    void sort(int type) {
        if (type == kFlag) return;
        with_type(type, [&]<class T>() {
            const auto less = [](const T& a, const T& b) { return number_in(a) < number_in(b); };
            ASSERT_TRUE(registry_.sort<T>(less));
        });
        oracle_.sort(type);
    }
    void make_group() {
        const bool is_pair = random_.below(2) == 0;
        for (const Expected::Group& group : oracle_.groups)
            if ((group.types.size() == 2) == is_pair) return;
        if (is_pair) {
            registry_.group<Part<0>, Part<1>>();
            oracle_.make_group({0, 1});
        } else {
            registry_.group<Part<2>, Part<3>, Flag>();
            oracle_.make_group({2, 3, kFlag});
        }
    }

    // --- listening ---

    void observe() {
        observer_.emplace(ecs::BasicObserver<E>::of<Part<0>, Part<2>>(registry_));
        oracle_.is_observed = true;
        oracle_.reports.clear();
    }
    void drain() {
        if (!observer_) return;
        std::vector<std::pair<E, std::uint8_t>> reports;
        for (const auto& report : observer_->drain()) reports.emplace_back(report.entity, report.changes);
        ASSERT_EQ(reports, oracle_.reports);
        oracle_.reports.clear();
    }
    void toggle_rules() {
        oracle_.has_rules = !oracle_.has_rules;
        rules_.clear();
        if (!oracle_.has_rules) return;
        rules_.push_back(registry_.on_construct<Part<0>>().connect(
            [](World& world, E entity, Part<0>&) { world.try_emplace<Part<3>>(entity, Expected::kRuled); }));
        rules_.push_back(registry_.on_destroy<Part<2>>().connect(
            [](World& world, E entity, Part<2>&) { world.remove<Part<3>>(entity); }));
    }

    // --- later, and meanwhile ---

    // Commands for living, dead and future entities.
    void defer() {
        ecs::BasicCommandBuffer<E> commands;
        const E victim = any_handle(), other = any_handle();
        commands.destroy(victim);
        commands.emplace<Part<1>>(other, 3);
        commands.remove<Part<2>>(other);
        const bool has_room = oracle_.alive.size() < kCrowd;
        if (has_room) commands.emplace<Part<0>>(commands.create(), 4);
        std::size_t applied = has_room ? 2 : 0;
        const auto outcome = commands.apply(registry_);
        if (oracle_.alive.contains(victim)) ++applied, oracle_.destroy(victim);
        if (oracle_.alive.contains(other) && !oracle_.has(other, 1)) ++applied, oracle_.emplace(other, 1, 3);
        if (oracle_.has(other, 2)) ++applied, oracle_.remove(other, 2);
        if (has_room) {
            oracle_.alive.insert({commands.created()[0], {}});
            oracle_.emplace(commands.created()[0], 0, 4);
        }
        ASSERT_EQ(outcome.applied, applied);
    }

    // Changes at random while a view or a group is walked.
    void walk() {
        switch (random_.below(4)) {
            case 0: return walk<Part<0>>({0}, registry_.view<Part<0>>());
            case 1: return walk<Part<3>, Part<2>>({3, 2}, registry_.view<Part<3>, Part<2>>());
            case 2: return walk<Flag>({kFlag}, registry_.view<Flag>());
            default: break;
        }
        for (const Expected::Group& group : oracle_.groups)
            if (group.types.size() == 2)
                return walk<Part<0>, Part<1>>({0, 1}, registry_.group<Part<0>, Part<1>>(), true);
    }
    template <class First, class... Ts>
    void walk(const std::vector<int>& types, const auto& walked, bool is_group = false) {
        const std::vector<E> matching = visited<E, First, Ts...>(walked);
        const std::vector<E> there = is_group ? matching : oracle_.walked(types);
        std::set<E> seen, disturbed;
        walked.each([&](E entity, First&, Ts&...) {
            ASSERT_EQ(std::ranges::count(there, entity), 1) << to_text(entity) << " came later";
            ASSERT_TRUE(seen.insert(entity).second) << to_text(entity) << " is visited twice";
            ASSERT_TRUE(oracle_.has_all(entity, types)) << to_text(entity) << " does not match";
            ASSERT_FALSE(registry_.sort<First>([](const First&, const First&) { return false; }));
            if (random_.below(2) == 0) change();
            if (random_.below(30) == 0) sweep();
            for (const E each : matching)
                if (!oracle_.has_all(each, types)) disturbed.insert(each);
        });
        for (const E entity : matching)
            ASSERT_TRUE(seen.contains(entity) || disturbed.contains(entity))
                << to_text(entity) << " is left out";
        adopt_order();
    }
    // The order in which holes are closed is not the oracle's business; that everybody is there is.
    void adopt_order() {
        sweep();
        for (int type = 0; type < kTypes; ++type)
            with_type(type, [&]<class T>() {
                std::vector<E>& expected = oracle_.order[static_cast<std::size_t>(type)];
                const std::vector<E> order = visited<E, T>(registry_.view<T>());
                ASSERT_TRUE(std::ranges::is_permutation(order, expected)) << "type " << type;
                expected = order;
            });
    }
    void move() {
        World moved = std::move(registry_);
        registry_.check_invariants();  // NOLINT(bugprone-use-after-move): what it promises
        ASSERT_EQ(registry_.alive_count(), 0U);
        registry_.emplace<Part<0>>(registry_.create());
        registry_ = std::move(moved);
    }

    core::Random random_;
    World registry_;
    Expected oracle_;
    std::optional<ecs::BasicObserver<E>> observer_;
    std::vector<ecs::Connection> rules_;
};

}  // namespace evertick::test
