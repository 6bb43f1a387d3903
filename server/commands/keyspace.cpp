// SCAN KEYS TYPE DBSIZE OBJECT: all entities, as Redis clients ask for them.

#include <algorithm>
#include <array>
#include <utility>

#include "core/quote.hpp"
#include "server/commands/arguments.hpp"
#include "server/commands/command.hpp"
#include "server/commands/table.hpp"
#include "server/commands/wildcard.hpp"

namespace evertick::commands {
namespace {

using core::ErrorCode;
using core::failure;
using core::Result;

constexpr std::uint64_t kDefaultScanCount = 10;    // as Redis
constexpr std::size_t kMaxKeysLookedAt = 100'000;  // by one KEYS
constexpr std::size_t kMaxGapsPerScan = 100'000;   // indices without an entity that one SCAN steps over

// ---- SCAN ----

struct ScanOrder {
    std::uint64_t cursor = 0;
    std::uint64_t count = kDefaultScanCount;  // entities to look at
    std::string_view pattern = "*";
};

Result<ScanOrder> parse_scan(const Call& call) {
    ScanOrder order;
    const std::size_t most = call.context.settings.max_query_rows();
    bool counted = false, matched = false;
    const auto cursor = parse_whole("cursor", call.words[0], 0, std::uint64_t{1} << 53);
    if (!cursor) return std::unexpected(cursor.error());
    order.cursor = *cursor;
    for (auto words = call.words.subspan(1); !words.empty(); words = words.subspan(2)) {
        const bool is_match = equal_ignoring_case(words[0], "MATCH");
        if (!is_match && !equal_ignoring_case(words[0], "COUNT"))
            return failure(ErrorCode::err, "SCAN does not know " + core::quote(words[0]) +
                                               "; expected SCAN cursor [MATCH pattern] [COUNT n]");
        if (std::exchange(is_match ? matched : counted, true))
            return failure(ErrorCode::badarg, std::string(is_match ? "MATCH" : "COUNT") + " is given twice");
        if (words.size() < 2)
            return failure(ErrorCode::badarg,
                           std::string(is_match ? "MATCH takes a pattern: SCAN 0 MATCH 1*"
                                                : "COUNT takes a number: SCAN 0 COUNT 100"));
        if (is_match) {
            if (auto fits = check_pattern(words[1]); !fits) return std::unexpected(fits.error());
            order.pattern = words[1];
            continue;
        }
        const auto count = parse_whole("COUNT", words[1], 1, std::uint64_t{1} << 53);
        if (!count) return std::unexpected(parse_whole("COUNT", words[1], 1, most).error());
        order.count = *count;
    }
    if (order.count > most)
        return failure(ErrorCode::limit, "COUNT " + std::to_string(order.count) + " is over max-query-rows " +
                                             std::to_string(most) + ": go on with the cursor");
    return order;
}

bool has_matching_id(ecs::Entity entity, std::string_view pattern) {
    return matches_wildcard(pattern, core::HandleText(core::Handle{entity.raw}).text());
}

// Returns where to go on, 0 at the end.
std::uint64_t scan_page(const world::World& world, const ScanOrder& order, std::span<ecs::Entity> found,
                        std::size_t& kept) {
    const std::size_t end = world.registry.index_count();
    std::uint64_t looks = 0;
    std::size_t gaps = 0;
    std::size_t index = order.cursor;
    for (; index < end && looks < order.count && gaps < kMaxGapsPerScan; ++index) {
        const ecs::Entity entity = world.registry.entity_at(index);
        if (entity == ecs::Entity::null) {
            ++gaps;
            continue;
        }
        ++looks;
        if (has_matching_id(entity, order.pattern)) found[kept++] = entity;
    }
    return index < end ? index : 0;
}

Result<> scan(Call& call) {
    const auto order = parse_scan(call);
    if (!order) return std::unexpected(order.error());
    const world::World& world = call.context.world;
    const std::size_t most = std::min<std::size_t>(order->count, world.registry.alive_count());
    const std::span found = core::new_array<ecs::Entity>(call.context.scratch, most);
    std::size_t kept = 0;
    const std::uint64_t cursor = scan_page(world, *order, found, kept);
    call.reply.array(2);
    call.reply.text(std::to_string(cursor));
    call.reply.array(kept);
    for (const ecs::Entity entity : found.first(kept)) call.reply.value(core::Handle{entity.raw});
    return {};
}

// ---- KEYS, TYPE, DBSIZE, OBJECT ----

Result<> keys(Call& call) {
    if (auto fits = check_pattern(call.words[0]); !fits) return fits;
    const world::World& world = call.context.world;
    const std::size_t most_rows = call.context.settings.max_query_rows();
    const auto too_many = [](const std::string& what) {
        return failure(ErrorCode::limit, what + ": page through them with SCAN 0 MATCH pattern");
    };
    if (world.registry.index_count() > kMaxKeysLookedAt)
        return too_many("KEYS looks at no more than " + std::to_string(kMaxKeysLookedAt) + " entities");
    const std::span found = core::new_array<ecs::Entity>(call.context.scratch, world.registry.alive_count());
    std::size_t kept = 0;
    for (const ecs::Entity entity : world.registry.entities())
        if (has_matching_id(entity, call.words[0])) found[kept++] = entity;
    if (kept > most_rows)
        return too_many(std::to_string(kept) + " ids are over max-query-rows " + std::to_string(most_rows));
    call.reply.array(kept);
    for (const ecs::Entity entity : found.first(kept)) call.reply.value(core::Handle{entity.raw});
    return {};
}

Result<> type(Call& call) {
    const auto entity = parse_entity(call.words[0]);
    if (!entity) return std::unexpected(entity.error());
    call.reply.status(call.context.world.registry.valid(*entity) ? "hash" : "none");
    return {};
}

Result<> database_size(Call& call) {
    call.reply.integer(static_cast<std::int64_t>(call.context.world.registry.alive_count()));
    return {};
}

// What redis-cli --hotkeys asks for; Redis without an LFU policy refuses it, too.
Result<> object(Call&) {
    return failure(ErrorCode::err,
                   "not supported: OBJECT; nobody counts how often an entity is used, so there are no hot "
                   "keys; MEMORY USAGE tells what one takes");
}

// ---- the table ----

constexpr std::array kScan{
    Argument{.name = "cursor", .type = ArgumentType::integer},
    Argument{.name = "pattern", .token = "MATCH", .optional = true},
    Argument{.name = "count", .type = ArgumentType::integer, .token = "COUNT", .optional = true}};
constexpr std::array kKeysPattern{Argument{.name = "pattern"}};
constexpr std::array kType{Argument{.name = "id"}};
constexpr std::array kObject{Argument{.name = "subcommand"}, Argument{.name = "id", .optional = true}};

constexpr std::array kKeyspaceCommands{
    Command{"SCAN", "redis", -2, Effect::reads, kScan,
            "A page of ids, looking at COUNT entities; answers [cursor, ids], cursor 0 at the end.", &scan,
            "SCAN 0 COUNT 1000\nSCAN 0 MATCH 1*:0"},
    Command{"KEYS", "redis", 2, Effect::reads, kKeysPattern,
            "All ids that match a pattern, in a small world.", &keys, "KEYS *"},
    Command{"TYPE", "redis", 2, Effect::reads, kType, "hash for an entity, none for a missing one.", &type},
    Command{"DBSIZE", "redis", 1, Effect::reads, {}, "How many entities there are.", &database_size},
    Command{"OBJECT", "redis", -2, Effect::reads, kObject,
            "Refused: how often an entity is used is not counted.", &object},
};

}  // namespace

std::span<const Command> keyspace_commands() { return kKeyspaceCommands; }

}  // namespace evertick::commands
