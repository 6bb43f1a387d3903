#pragma once
// Oracle: what a registry should hold, kept in maps and vectors, slowly and obviously. It knows five types by
// number and predicts handles' fates, components, iteration order, groups and an observer's reports.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "tests/core/tracked.hpp"

namespace evertick::test {

// The types: four with a number in them that are counted, of which the second fills a chunk with five; and a
// tag.
template <int N>
struct Part : Tracked {
    using Tracked::Tracked;
    std::array<char, N == 1 ? 3000 : 1> ballast{};
};
struct Flag {};
inline constexpr int kTypes = 5;
inline constexpr int kFlag = 4;

template <class E>
struct Oracle {
    using Components = std::map<int, int>;  // type -> number in it
    using Order = std::vector<E>;

    struct Group {
        std::vector<int> types;
        std::size_t size;
    };

    std::map<E, Components> alive;
    std::vector<std::pair<E, Components>> pending;
    std::set<E> dead;
    std::array<Order, kTypes> order;  // with the pending
    std::vector<Group> groups;
    bool is_observed = false;  // types 0 and 2
    std::vector<std::pair<E, std::uint8_t>> reports;
    bool has_rules = false;  // who gets a 0 gets a 3; who loses its 2 loses its 3

    static constexpr int kRuled = 77;

    bool has(E entity, int type) const {
        const auto found = alive.find(entity);
        return found != alive.end() && found->second.contains(type);
    }
    bool has_all(E entity, const std::vector<int>& types) const {
        return std::ranges::all_of(types, [&](int type) { return has(entity, type); });
    }
    std::size_t count(int type) const {
        return static_cast<std::size_t>(
            std::ranges::count_if(alive, [=](const auto& each) { return each.second.contains(type); }));
    }
    // The pool that a view of these types walks.
    const Order& walked(const std::vector<int>& types) const {
        return of(*std::ranges::min_element(types, {}, [this](int type) { return count(type); }));
    }
    // The entities with all of these and none of those, as a view walks them.
    Order walk(const std::vector<int>& types, const std::vector<int>& excluded = {}) const {
        Order matching;
        for (const E entity : walked(types))
            if (has_all(entity, types) &&
                std::ranges::none_of(excluded, [&](int type) { return has(entity, type); }))
                matching.push_back(entity);
        return matching;
    }
    Order members(const Group& group) const {
        const Order& first = of(group.types.front());
        return {first.begin(), first.begin() + static_cast<std::ptrdiff_t>(group.size)};
    }

    void emplace(E entity, int type, int number) {
        alive.at(entity)[type] = number;
        of(type).push_back(entity);
        for (Group& group : groups)
            if (position(group, entity) >= group.size && has_all(entity, group.types))
                swap(group, position(group, entity), group.size++);
        report(entity, type, 1);
        if (has_rules && type == 0 && !has(entity, 3)) emplace(entity, 3, kRuled);
    }
    void patch(E entity, int type, int number) {
        alive.at(entity)[type] = number;
        report(entity, type, 2);
    }
    void remove(E entity, int type) {
        for (Group& group : groups)
            if (std::ranges::count(group.types, type) > 0) leave(group, entity);
        alive.at(entity).erase(type);
        erase(entity, type);
        if (has_rules && type == 2 && has(entity, 3)) remove(entity, 3);
    }
    void destroy(E entity) {
        for (Group& group : groups) leave(group, entity);
        for (const auto& [type, number] : alive.at(entity)) erase(entity, type);
        alive.erase(entity);
        dead.insert(entity);
    }
    void doom(E entity) {
        for (Group& group : groups) leave(group, entity);
        pending.emplace_back(entity, alive.at(entity));
        alive.erase(entity);
    }
    void sweep() {
        for (const auto& [entity, components] : pending) {
            for (const auto& [type, number] : components) erase(entity, type);
            dead.insert(entity);
        }
        pending.clear();
    }
    void clear() {
        while (!alive.empty()) {
            const auto lowest =
                std::ranges::min_element(alive, {}, [](const auto& each) { return each.first.index(); });
            doom(lowest->first);
        }
        sweep();
    }
    void clone(E source, E copy) {
        for (const auto& [type, number] : Components(alive.at(source)))
            if (!has(copy, type)) emplace(copy, type, number);
    }
    void sort(int type) {
        const auto group = std::ranges::find_if(
            groups, [=](const Group& each) { return std::ranges::count(each.types, type) > 0; });
        Order& all = of(type);
        const std::size_t size = group != groups.end() ? group->size : 0;
        const auto boundary = all.begin() + static_cast<std::ptrdiff_t>(size);
        const auto less = [&](E a, E b) { return number_of(a, type) < number_of(b, type); };
        insertion_sort(all.begin(), boundary, less);
        insertion_sort(boundary, all.end(), less);
        if (group == groups.end()) return;
        for (const int other : group->types) std::copy(all.begin(), boundary, of(other).begin());
    }
    void make_group(std::vector<int> types) {
        Group& group = groups.emplace_back(std::move(types), std::size_t{0});
        for (const E entity : walk(group.types)) swap(group, position(group, entity), group.size++);
    }

    int number_of(E entity, int type) const {
        if (const auto found = alive.find(entity); found != alive.end()) return found->second.at(type);
        return std::ranges::find(pending, entity, &std::pair<E, Components>::first)->second.at(type);
    }

  private:
    Order& of(int type) { return order[static_cast<std::size_t>(type)]; }
    const Order& of(int type) const { return order[static_cast<std::size_t>(type)]; }
    static void insertion_sort(auto begin, auto end, auto less) {
        for (auto next = begin; next != end; ++next)
            std::rotate(std::upper_bound(begin, next, *next, less), next, next + 1);
    }
    static std::size_t position(const Order& where, E entity) {
        return static_cast<std::size_t>(std::ranges::find(where, entity) - where.begin());
    }
    std::size_t position(const Group& group, E entity) const {
        return position(of(group.types.front()), entity);
    }
    // Puts the entity at that place in all orders of the group; who was there takes its place.
    void swap(const Group& group, std::size_t from, std::size_t to) {
        const E entity = of(group.types.front())[from];
        for (const int type : group.types) std::swap(of(type)[position(of(type), entity)], of(type)[to]);
    }
    void leave(Group& group, E entity) {
        if (position(group, entity) < group.size) swap(group, position(group, entity), --group.size);
    }
    void erase(E entity, int type) {
        Order& where = of(type);
        where[position(where, entity)] = where.back();
        where.pop_back();
        report(entity, type, 4);
    }
    void report(E entity, int type, std::uint8_t change) {
        if (!is_observed || (type != 0 && type != 2)) return;
        const auto known = std::ranges::find(reports, entity, &std::pair<E, std::uint8_t>::first);
        if (known == reports.end())
            reports.emplace_back(entity, change);
        else
            known->second |= change;
    }
};

}  // namespace evertick::test
