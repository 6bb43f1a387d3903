#include "server/world/query.hpp"

#include <algorithm>
#include <bit>

#include "core/verify.hpp"
#include "server/world/components.hpp"

namespace evertick::world {
namespace {

// One that may be among the nearest.
struct Candidate {
    double squared_distance;
    ecs::Entity entity;
};

bool nearer(const Candidate& a, const Candidate& b) {
    if (a.squared_distance != b.squared_distance) return a.squared_distance < b.squared_distance;
    return a.entity.index() < b.entity.index();
}

bool has_all(const ecs::Registry& registry, ecs::Entity entity, ComponentMask mask) {
    for (; mask != 0; mask &= mask - 1)
        if (component_types()[static_cast<std::size_t>(std::countr_zero(mask))].peek(registry, entity) ==
            nullptr)
            return false;
    return true;
}

bool has_none(const ecs::Registry& registry, ecs::Entity entity, ComponentMask mask) {
    for (; mask != 0; mask &= mask - 1)
        if (component_types()[static_cast<std::size_t>(std::countr_zero(mask))].peek(registry, entity) !=
            nullptr)
            return false;
    return true;
}

bool has_flags(const ecs::Registry& registry, ecs::Entity entity, std::uint32_t bits) {
    if (bits == 0) return true;
    const Flags* const flags = registry.try_get<Flags>(entity);
    return flags != nullptr && (flags->set.bits & bits) == bits;
}

bool holds(const ecs::Registry& registry, ecs::Entity entity, const FieldCondition& condition) {
    const void* const record = component_types()[condition.component].peek(registry, entity);
    return record != nullptr &&
           core::compare(core::read(*condition.field, record), condition.op, condition.value);
}

struct Contains {
    const Vector3& place;

    bool operator()(std::monostate) const { return true; }
    bool operator()(const Nearest&) const { return true; }
    bool operator()(const Near& near) const { return contains(near, place); }
    bool operator()(const Box& box) const { return contains(ordered(box), place); }
};

bool lies_in(const ecs::Registry& registry, ecs::Entity entity, const Region& region) {
    if (std::holds_alternative<std::monostate>(region)) return true;
    const Position* const position = registry.try_get<Position>(entity);
    return position != nullptr && std::visit(Contains{point(*position)}, region);
}

const Vector3& centre_of(const Region& region) {
    if (const auto* const near = std::get_if<Near>(&region)) return near->centre;
    return std::get<Nearest>(region).centre;
}

// At most this many can be selected.
std::size_t most(const World& world, const Filter& filter, std::size_t limit) {
    if (const auto* const nearest = std::get_if<Nearest>(&filter.region))
        limit = std::min<std::size_t>(limit, nearest->count);
    return std::min<std::size_t>(limit, world.registry.alive_count());
}

// Calls visit with each matching entity in ascending index from `first` on, until it returns false.
// Returns the index after the last one looked at.
template <class Visit>
std::uint32_t scan(const World& world, const Filter& filter, std::uint64_t first, Visit visit) {
    const ecs::Registry& registry = world.registry;
    const auto end = static_cast<std::uint32_t>(registry.index_count());
    for (auto index = static_cast<std::uint32_t>(std::min<std::uint64_t>(first, end)); index < end; ++index) {
        const ecs::Entity entity = registry.entity_at(index);
        if (matches(world, entity, filter) && !visit(entity)) return index + 1;
    }
    return end;
}

// A heap whose top is the farthest kept holds the best so far; a nearer one takes the top's place.
std::span<const ecs::Entity> nearest_first(const World& world, const Filter& filter, std::size_t most_wanted,
                                           core::MemStack& stack) {
    const Vector3& centre = centre_of(filter.region);
    const std::span<Candidate> heap = core::new_array<Candidate>(stack, most_wanted);
    std::size_t kept = 0;
    scan(world, filter, 0, [&](ecs::Entity entity) {
        const Position& position = *world.registry.try_get<Position>(entity);
        const Candidate candidate{squared_distance(centre, point(position)), entity};
        if (kept == heap.size()) {
            if (!nearer(candidate, heap.front())) return true;
            std::ranges::pop_heap(heap, nearer);
            --kept;
        }
        heap[kept++] = candidate;
        std::ranges::push_heap(heap.first(kept), nearer);
        return true;
    });
    std::ranges::sort_heap(heap.first(kept), nearer);

    const std::span<ecs::Entity> found = core::new_array<ecs::Entity>(stack, kept);
    std::ranges::transform(heap.first(kept), found.begin(), &Candidate::entity);
    return found;
}

Selection by_index(const World& world, const Filter& filter, std::size_t most_wanted, std::uint64_t cursor,
                   core::MemStack& stack) {
    const std::span<ecs::Entity> found = core::new_array<ecs::Entity>(stack, most_wanted);
    std::size_t kept = 0;
    const std::uint32_t next = scan(world, filter, cursor, [&](ecs::Entity entity) {
        found[kept++] = entity;
        return kept < found.size();
    });
    return {found.first(kept), next < world.registry.index_count() ? next : 0};
}

}  // namespace

bool Filter::empty() const {
    return with == 0 && without == 0 && flags == 0 && where.empty() &&
           std::holds_alternative<std::monostate>(region);
}

bool Filter::ordered_by_distance() const {
    return std::holds_alternative<Near>(region) || std::holds_alternative<Nearest>(region);
}

bool matches(const World& world, ecs::Entity entity, const Filter& filter) {
    const ecs::Registry& registry = world.registry;
    return registry.valid(entity) && has_all(registry, entity, filter.with) &&
           has_none(registry, entity, filter.without) && has_flags(registry, entity, filter.flags) &&
           lies_in(registry, entity, filter.region) &&
           std::ranges::all_of(filter.where,
                               [&](const auto& condition) { return holds(registry, entity, condition); });
}

Selection select(const World& world, const Filter& filter, std::size_t limit, std::uint64_t cursor,
                 core::MemStack& stack) {
    const std::size_t most_wanted = most(world, filter, limit);
    if (filter.ordered_by_distance()) {
        core::verify(cursor == 0, "a selection by distance has no cursor");
        if (most_wanted == 0) return {};
        return {nearest_first(world, filter, most_wanted, stack), 0};
    }
    if (most_wanted == 0) return {};
    return by_index(world, filter, most_wanted, cursor, stack);
}

std::size_t count(const World& world, const Filter& filter, core::MemStack&) {
    if (filter.empty()) return world.registry.alive_count();
    std::size_t found = 0;
    scan(world, filter, 0, [&](ecs::Entity) {
        ++found;
        return true;
    });
    return most(world, filter, found);
}

}  // namespace evertick::world
