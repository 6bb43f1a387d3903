// QUERY COUNT: entities by what they are and where.

#include <array>

#include "server/commands/command.hpp"
#include "server/commands/filter_parser.hpp"
#include "server/commands/region_arguments.hpp"
#include "server/world/query.hpp"

namespace evertick::commands {
namespace {

void write_row(Call& call, ecs::Entity entity, const Projection& returned) {
    if (!returned.empty()) call.reply.array(2);
    call.reply.value(core::Handle{entity.raw});
    if (!returned.empty()) returned.write(call.reply, call.context.world, entity);
}

core::Result<> query(Call& call) {
    const Context& context = call.context;
    const auto order = parse_query(call.words, context.settings.max_query_rows(), context.scratch);
    if (!order) return std::unexpected(order.error());
    if (order->count_only) {
        call.reply.integer(
            static_cast<std::int64_t>(world::count(context.world, order->filter, context.scratch)));
        return {};
    }
    const auto found =
        world::select(context.world, order->filter, order->limit, order->cursor, context.scratch);
    call.reply.array(2);
    call.reply.text(std::to_string(found.cursor));
    call.reply.array(found.entities.size());
    for (const ecs::Entity entity : found.entities) write_row(call, entity, order->returned);
    return {};
}

core::Result<> count(Call& call) {
    const Context& context = call.context;
    const auto filter = parse_filter(call.words, context.scratch);
    if (!filter) return std::unexpected(filter.error());
    call.reply.integer(static_cast<std::int64_t>(world::count(context.world, *filter, context.scratch)));
    return {};
}

// ---- the table ----

constexpr std::array kNearest{number_argument("x"), number_argument("y"), number_argument("z"),
                              Argument{.name = "k", .type = ArgumentType::integer}};
constexpr std::array kQueryRegion{
    kNear, kBox,
    Argument{.name = "nearest", .type = ArgumentType::block, .token = "NEAREST", .parts = kNearest}};
constexpr Argument kWith{.name = "component,...", .token = "WITH", .optional = true};
constexpr Argument kWithout{.name = "component,...", .token = "WITHOUT", .optional = true};
constexpr Argument kFlags{.name = "flag,...", .token = "FLAGS", .optional = true};
constexpr Argument kWhere{
    .name = "component.field<op>value", .token = "WHERE", .optional = true, .multiple = true};
constexpr Argument kPlace{
    .name = "region", .type = ArgumentType::one_of, .optional = true, .parts = kQueryRegion};
constexpr std::array kAnswer{Argument{.name = "component[.field],...", .token = "RETURN"},
                             Argument{.name = "count", .type = ArgumentType::pure_token, .token = "COUNT"}};

constexpr std::array kQuery{
    kWith,
    kWithout,
    kFlags,
    kWhere,
    kPlace,
    Argument{.name = "answer", .type = ArgumentType::one_of, .optional = true, .parts = kAnswer},
    Argument{.name = "limit", .type = ArgumentType::integer, .token = "LIMIT", .optional = true},
    Argument{.name = "cursor", .token = "CURSOR", .optional = true}};
constexpr std::array kFilter{kWith, kWithout, kFlags, kWhere, kPlace};

constexpr std::array kQueryCommands{
    Command{
        "QUERY", "world", -1, Effect::reads, kQuery,
        "Finds entities; answers [cursor, rows], each row an id or [id, map] with RETURN; 100 rows unless "
        "LIMIT says more.",
        &query,
        "QUERY WITH position,health WHERE health.current<20 position.x>=0 RETURN position,health.current\n"
        "QUERY NEAR 0 0 0 100 LIMIT 5 RETURN position\n"
        "QUERY FLAGS hostile BOX -50 -1 -50 50 1 50 COUNT\n"
        "QUERY LIMIT 1000 CURSOR 0"},
    Command{"COUNT", "world", -1, Effect::reads, kFilter, "Counts entities, all or those that match.", &count,
            "COUNT WITH ai WHERE ai.state=chase"},
};

}  // namespace

std::span<const Command> query_commands() { return kQueryCommands; }

}  // namespace evertick::commands
