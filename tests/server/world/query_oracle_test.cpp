// Random worlds asked random questions, against an oracle that looks at everyone and sorts.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <vector>

#include "core/mem_stack.hpp"
#include "core/random.hpp"
#include "server/world/components.hpp"
#include "server/world/query.hpp"

namespace evertick::world {
namespace {

using ecs::Entity;

// One entity as the oracle remembers it: what it was made of.
struct Record {
    std::optional<Position> position;
    std::optional<Health> health;
    std::optional<Flags> flags;
};
using Records = std::map<std::uint32_t, std::pair<Entity, Record>>;  // by index

float coordinate(core::Random& random) {
    return static_cast<float>(random.below(9)) - 4;
}  // few values: many ties

Vector3 place(core::Random& random) {
    Vector3 at;
    at.x = coordinate(random);
    at.y = coordinate(random);
    at.z = coordinate(random);
    return at;
}

void spawn_random(World& world, Records& records, core::Random& random) {
    const Entity entity = world.registry.create();
    Record record;
    if (random.below(4) != 0) {
        const Vector3 at = place(random);
        record.position = world.registry.emplace<Position>(entity, Position{at.x, at.y, at.z});
        world.spatial_index.touch(entity);
    }
    if (random.below(2) != 0)
        record.health = world.registry.emplace<Health>(
            entity, Health{.current = static_cast<std::int32_t>(random.below(10))});
    if (random.below(2) != 0)
        record.flags = world.registry.emplace<Flags>(
            entity, Flags{.set = {static_cast<std::uint32_t>(random.below(8))}});
    records[entity.index()] = {entity, record};
}

void destroy_random(World& world, Records& records, core::Random& random) {
    auto victim = records.begin();
    std::advance(victim, static_cast<std::ptrdiff_t>(random.below(records.size())));
    const Entity entity = victim->second.first;
    if (random.below(2) != 0)
        world.registry.destroy_later(entity);
    else
        world.registry.destroy(entity);
    records.erase(victim);
}

void move_random(World& world, Records& records, core::Random& random) {
    auto mover = records.begin();
    std::advance(mover, static_cast<std::ptrdiff_t>(random.below(records.size())));
    auto& [entity, record] = mover->second;
    if (!record.position) return;
    const Vector3 to = place(random);
    record.position = world.registry.get<Position>(entity) = {to.x, to.y, to.z};
    world.spatial_index.touch(entity);
}

ComponentMask random_mask(core::Random& random) {
    constexpr std::array kUsed{0, 3, 6};  // position, health, flags
    return random.below(2) != 0 ? ComponentMask{1} << kUsed[random.below(3)] : 0;
}

Region random_region(core::Random& random) {
    switch (random.below(4)) {
        case 0: return {};
        case 1: return Near{place(random), static_cast<float>(random.below(6))};
        case 2: return Box{place(random), place(random)};
        default: return Nearest{place(random), static_cast<std::uint32_t>(1 + random.below(20))};
    }
}

// --- the oracle -----------------------------------------------------------------------------------

double distance(const Record& record, const Vector3& centre) {
    const Position& p = *record.position;
    return squared_distance(centre, {p.x, p.y, p.z});
}

bool within(const Record& record, const Region& region) {
    if (std::holds_alternative<std::monostate>(region)) return true;
    if (!record.position) return false;
    if (const auto* near = std::get_if<Near>(&region))
        return distance(record, near->centre) <= static_cast<double>(near->radius * near->radius);
    const auto* box = std::get_if<Box>(&region);
    if (box == nullptr) return true;
    const auto ordered = [](float a, float v, float b) { return (a <= v && v <= b) || (b <= v && v <= a); };
    const Position& p = *record.position;
    return ordered(box->low.x, p.x, box->high.x) && ordered(box->low.y, p.y, box->high.y) &&
           ordered(box->low.z, p.z, box->high.z);
}

bool expected_match(const Record& record, const Filter& filter) {
    const ComponentMask has =
        (record.position ? 1U : 0U) | (record.health ? 8U : 0U) | (record.flags ? 64U : 0U);
    if ((has & filter.with) != filter.with || (has & filter.without) != 0) return false;
    if (filter.flags != 0 && (!record.flags || (record.flags->set.bits & filter.flags) != filter.flags))
        return false;
    for (const FieldCondition& condition : filter.where)
        if (!record.health || !(record.health->current < std::get<std::int64_t>(condition.value)))
            return false;
    return within(record, filter.region);
}

// Everyone that matches, in the order that select() promises.
std::vector<Entity> expected(const Records& records, const Filter& filter) {
    std::vector<std::tuple<double, std::uint32_t, Entity>> found;
    for (const auto& [index, known] : records) {
        const auto& [entity, record] = known;
        if (!expected_match(record, filter)) continue;
        double rank = 0;
        if (const auto* near = std::get_if<Near>(&filter.region)) rank = distance(record, near->centre);
        if (const auto* nearest = std::get_if<Nearest>(&filter.region))
            rank = distance(record, nearest->centre);
        found.emplace_back(rank, index, entity);
    }
    std::ranges::sort(found, {},
                      [](const auto& each) { return std::pair(std::get<0>(each), std::get<1>(each)); });
    if (const auto* nearest = std::get_if<Nearest>(&filter.region))
        found.resize(std::min<std::size_t>(found.size(), nearest->count));
    std::vector<Entity> entities(found.size());
    std::ranges::transform(found, entities.begin(), [](const auto& each) { return std::get<2>(each); });
    return entities;
}

// Walks all pages of at most `limit` entities; a selection by distance has only one.
std::vector<Entity> walked(World& world, const Filter& filter, std::size_t limit, core::MemStack& stack) {
    std::vector<Entity> entities;
    std::uint64_t cursor = 0;
    do {
        const core::MemMark mark(stack);
        const Selection page = select(world, filter, limit, cursor, stack);
        EXPECT_LE(page.entities.size(), limit);
        entities.insert(entities.end(), page.entities.begin(), page.entities.end());
        cursor = page.cursor;
    } while (cursor != 0);
    return entities;
}

void ask(World& world, const Records& records, core::Random& random, core::MemStack& stack) {
    const core::Field* const current = component_types()[3].find("current");
    const std::array conditions{FieldCondition{3, current, core::Comparison::less, std::int64_t{5}}};
    const Filter filter{
        .with = random_mask(random),
        .without = random_mask(random),
        .flags = random.below(3) == 0 ? static_cast<std::uint32_t>(random.below(8)) : 0,
        .where = std::span<const FieldCondition>(conditions).first(random.below(3) == 0 ? 1 : 0),
        .region = random_region(random),
    };
    const std::size_t limit = 1 + random.below(30);
    std::vector<Entity> wanted = expected(records, filter);
    EXPECT_EQ(count(world, filter, stack), wanted.size());
    if (filter.ordered_by_distance()) wanted.resize(std::min(wanted.size(), limit));
    EXPECT_EQ(walked(world, filter, limit, stack), wanted);
}

TEST(QueryOracle, AgreesOnRandomWorldsAndFilters) {
    core::MemStack stack;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        core::Random random(seed);
        World world(seed);
        Records records;
        for (int step = 0; step < 400 && !testing::Test::HasFailure(); ++step) {
            const core::MemMark mark(stack);
            if (records.empty() || random.below(4) != 0)
                spawn_random(world, records, random);
            else if (random.below(2) == 0)
                destroy_random(world, records, random);
            else
                move_random(world, records, random);
            if (random.below(10) == 0) world.registry.sweep();
            ask(world, records, random, stack);
        }
    }
}

}  // namespace
}  // namespace evertick::world
