#include "server/world/query.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/verify.hpp"
#include "server/world/components.hpp"
#include "server/world/neighbours.hpp"

namespace evertick::world {
namespace {

// The same set as the registry numbers it.
ecs::ComponentMask registry_mask(ComponentMask components) {
    ecs::ComponentMask mask = 0;
    for_each_component(components, [&](ComponentIndex index) { mask |= component_types()[index].mask(); });
    return mask;
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

// At most this many can be selected.
std::size_t most(const World& world, const Filter& filter, std::size_t limit) {
    if (const auto* const nearest = std::get_if<Nearest>(&filter.region))
        limit = std::min<std::size_t>(limit, nearest->count);
    return std::min<std::size_t>(limit, world.registry.alive_count());
}

bool lies_in(const ecs::Registry& registry, ecs::Entity entity, const Region& region) {
    if (std::holds_alternative<std::monostate>(region)) return true;
    const Position* const position = registry.try_get<Position>(entity);
    if (position == nullptr) return false;
    if (const auto* const near = std::get_if<Near>(&region)) return contains(*near, point(*position));
    if (const auto* const box = std::get_if<Box>(&region)) return contains(ordered(*box), point(*position));
    return true;
}

// All conditions of a filter but the region.
class Conditions {
  public:
    explicit Conditions(const Filter& filter)
        : filter_(filter), with_(registry_mask(filter.with)), without_(registry_mask(filter.without)) {}

    // Whether a valid entity meets them.
    bool hold(const ecs::Registry& registry, ecs::Entity entity) const {
        return there_are_none_ || hold_all(registry, entity);
    }

  private:
    bool hold_all(const ecs::Registry& registry, ecs::Entity entity) const {
        if ((with_ | without_) != 0) {
            const ecs::ComponentMask has = registry.mask(entity);
            if ((has & with_) != with_ || (has & without_) != 0) return false;
        }
        return has_flags(registry, entity, filter_.flags) &&
               std::ranges::all_of(filter_.where,
                                   [&](const auto& each) { return holds(registry, entity, each); });
    }

    const Filter& filter_;
    ecs::ComponentMask with_, without_;
    bool there_are_none_ = (with_ | without_) == 0 && filter_.flags == 0 && filter_.where.empty();
};

bool matches(const ecs::Registry& registry, ecs::Entity entity, const Filter& filter,
             const Conditions& conditions) {
    return registry.valid(entity) && conditions.hold(registry, entity) &&
           lies_in(registry, entity, filter.region);
}

// --- where candidates come from ---------------------------------------------------------------------

template <class Component>
constexpr ComponentMask kBitOf = ComponentMask{1} << kIndexOf<Component>;

// What an entity must have to match.
ComponentMask asked_for(const Filter& filter) {
    ComponentMask asked = filter.with;
    if (filter.flags != 0) asked |= kBitOf<Flags>;
    if (!std::holds_alternative<std::monostate>(filter.region)) asked |= kBitOf<Position>;
    for (const FieldCondition& condition : filter.where) asked |= ComponentMask{1} << condition.component;
    return asked;
}

// The component asked for that the fewest have.
struct Rarest {
    const ComponentType* type = nullptr;  // null: none is asked for
    std::size_t count = 0;
};
Rarest rarest(const World& world, const Filter& filter) {
    Rarest rarest{.count = world.registry.alive_count()};
    for_each_component(asked_for(filter), [&](ComponentIndex index) {
        const ComponentType& type = component_types()[index];
        const std::size_t count = type.count(world.registry);
        if (rarest.type == nullptr || count < rarest.count) rarest = {&type, count};
    });
    return rarest;
}

constexpr std::size_t kFew = 64;  // not worth making an index for

enum class Source : std::uint8_t { everyone, component, region };
struct Candidates {
    Source source;
    std::size_t most;  // of them
};

// Where there are the fewest; a region with more than `enough` is as good as all.
Candidates candidates(World& world, const Filter& filter, const Rarest& rarest, std::size_t enough,
                      core::MemStack& stack) {
    enough = std::min(enough, rarest.count);
    const auto* const near = std::get_if<Near>(&filter.region);
    const auto* const box = std::get_if<Box>(&filter.region);
    if ((near != nullptr || box != nullptr) && rarest.count > kFew) {
        world.spatial_index.refresh(world.registry, stack);
        const std::size_t inside = near != nullptr ? world.spatial_index.bound(*near, enough)
                                                   : world.spatial_index.bound(ordered(*box), enough);
        if (inside <= enough) return {Source::region, inside};
    }
    return {rarest.type != nullptr ? Source::component : Source::everyone, rarest.count};
}

// Calls visit with each matching entity in ascending index from `first` on, until it returns false.
// Returns the index after the last one looked at.
template <class Visit>
std::uint32_t scan(const World& world, const Filter& filter, std::uint64_t first, Visit visit) {
    const ecs::Registry& registry = world.registry;
    const Conditions conditions(filter);
    const auto end = static_cast<std::uint32_t>(registry.index_count());
    for (auto index = static_cast<std::uint32_t>(std::min<std::uint64_t>(first, end)); index < end; ++index) {
        const ecs::Entity entity = registry.entity_at(index);
        if (matches(registry, entity, filter, conditions) && !visit(entity)) return index + 1;
    }
    return end;
}

template <class Visit>
void each_in_region(const World& world, const Filter& filter, Visit visit) {
    const Conditions conditions(filter);
    const auto visit_matching = [&](ecs::Entity entity) {
        if (conditions.hold(world.registry, entity)) visit(entity);
    };
    if (const auto* const near = std::get_if<Near>(&filter.region))
        world.spatial_index.each_in(world.registry, *near, visit_matching);
    else
        world.spatial_index.each_in(world.registry, ordered(std::get<Box>(filter.region)), visit_matching);
}

template <class Visit>
void each_having(const World& world, const Filter& filter, const Rarest& rarest, Visit visit) {
    const Conditions conditions(filter);
    const auto visit_matching = [&](ecs::Entity entity) {
        if (matches(world.registry, entity, filter, conditions)) visit(entity);
    };
    rarest.type->each(world.registry, std::cref(visit_matching));  // a reference: the heap is not needed
}

// Calls visit with each matching entity, in no order worth knowing.
template <class Visit>
void each_match(const World& world, const Filter& filter, Source source, const Rarest& rarest, Visit visit) {
    switch (source) {
        case Source::region: return each_in_region(world, filter, visit);
        case Source::component: return each_having(world, filter, rarest, visit);
        case Source::everyone:
            scan(world, filter, 0, [&](ecs::Entity entity) {
                visit(entity);
                return true;
            });
    }
}

// --- by distance ------------------------------------------------------------------------------------

const Vector3& centre_of(const Region& region) {
    if (const auto* const near = std::get_if<Near>(&region)) return near->centre;
    return std::get<Nearest>(region).centre;
}

// How many candidates by distance there are, when those that have the rarest component are fewer than one
// may have to look at to find so many of them nearby; nothing otherwise.
Candidates candidates_by_distance(World& world, const Filter& filter, std::size_t most_wanted,
                                  const Rarest& rarest, core::MemStack& stack) {
    const std::size_t placed = world.registry.count<Position>();
    if (rarest.count <= kFew) return {Source::component, rarest.count};
    world.spatial_index.refresh(world.registry, stack);
    const bool few_on_the_way = most_wanted * placed < rarest.count * rarest.count;
    if (few_on_the_way) return {Source::region, most_wanted};
    if (std::holds_alternative<Near>(filter.region))
        return candidates(world, filter, rarest, rarest.count, stack);
    return {rarest.count < placed ? Source::component : Source::region, rarest.count};
}

std::span<const ecs::Entity> nearest_first(World& world, const Filter& filter, std::size_t most_wanted,
                                           core::MemStack& stack) {
    const ecs::Registry& registry = world.registry;
    const Vector3& centre = centre_of(filter.region);
    const auto* const near = std::get_if<Near>(&filter.region);
    const Conditions conditions(filter);
    const Rarest rare = rarest(world, filter);
    const Candidates from = candidates_by_distance(world, filter, most_wanted, rare, stack);
    Neighbours kept(stack, std::min(most_wanted, from.most),
                    near != nullptr ? squared_radius(*near) : std::numeric_limits<double>::infinity());
    if (from.source == Source::region)
        world.spatial_index.find_nearest(
            registry, centre, kept, [&](ecs::Entity entity) { return conditions.hold(registry, entity); });
    else
        each_having(world, filter, rare, [&](ecs::Entity entity) {
            const double distance = squared_distance(centre, point(*registry.try_get<Position>(entity)));
            if (kept.admits(distance, entity.index())) kept.offer({distance, entity});
        });

    const std::span<const Neighbour> sorted = kept.sorted(stack);
    const std::span<ecs::Entity> found = core::new_array<ecs::Entity>(stack, sorted.size());
    std::ranges::transform(sorted, found.begin(), &Neighbour::entity);
    return found;
}

// --- by index ---------------------------------------------------------------------------------------

Selection walk(const World& world, const Filter& filter, std::size_t most_wanted, std::uint64_t cursor,
               core::MemStack& stack) {
    const std::span<ecs::Entity> found = core::new_array<ecs::Entity>(stack, most_wanted);
    std::size_t kept = 0;
    const std::uint32_t next = scan(world, filter, cursor, [&](ecs::Entity entity) {
        found[kept++] = entity;
        return kept < found.size();
    });
    return {found.first(kept), next < world.registry.index_count() ? next : 0};
}

Selection by_index(World& world, const Filter& filter, std::size_t most_wanted, std::uint64_t cursor,
                   core::MemStack& stack) {
    const Rarest rare = rarest(world, filter);
    // A walk along everyone passes everyone * most_wanted / candidates until it has found most_wanted: that
    // is shorter than looking at all candidates when those are more than the root of the product.
    const auto too_many = static_cast<std::size_t>(
        std::sqrt(static_cast<double>(most_wanted) * static_cast<double>(world.registry.index_count())));
    const Candidates from = candidates(world, filter, rare, too_many, stack);
    const bool walk_is_short = from.most > too_many;
    if (from.source == Source::everyone || walk_is_short)
        return walk(world, filter, most_wanted, cursor, stack);

    const std::span<ecs::Entity> found = core::new_array<ecs::Entity>(stack, from.most);
    std::size_t count = 0;
    each_match(world, filter, from.source, rare, [&](ecs::Entity entity) {
        if (entity.index() >= cursor) found[count++] = entity;
    });
    const std::span<ecs::Entity> page = found.first(std::min(count, most_wanted));
    std::ranges::nth_element(found.first(count), page.end(), {}, &ecs::Entity::index);
    bucket_sort(page, stack, &ecs::Entity::index,
                [](ecs::Entity a, ecs::Entity b) { return a.index() < b.index(); });
    return {page, count > page.size() ? page.back().index() + std::uint64_t{1} : 0};
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
    return matches(world.registry, entity, filter, Conditions(filter));
}

Selection select(World& world, const Filter& filter, std::size_t limit, std::uint64_t cursor,
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

std::size_t count(World& world, const Filter& filter, core::MemStack& stack) {
    if (filter.empty()) return world.registry.alive_count();
    const Rarest rare = rarest(world, filter);
    const Candidates from = candidates(world, filter, rare, rare.count, stack);
    std::size_t found = 0;
    each_match(world, filter, from.source, rare, [&](ecs::Entity) { ++found; });
    return most(world, filter, found);
}

}  // namespace evertick::world
