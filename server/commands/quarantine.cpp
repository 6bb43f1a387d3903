// QUARANTINE LIST|COUNT|RELEASE: entities that a system broke.

#include "server/world/quarantine.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <string>
#include <variant>
#include <vector>

#include "core/schema.hpp"
#include "server/commands/arguments.hpp"
#include "server/commands/command.hpp"
#include "server/commands/durations.hpp"

namespace evertick::commands {
namespace {

using core::ErrorCode;
using core::failure;
using core::Result;
using world::Quarantined;

constexpr std::uint64_t kDefaultRows = 100;

// Null for what is no value of the field: there is no such number in JSON.
void write_kept(protocol::ReplyWriter& reply, const world::ComponentType& type, const void* record) {
    reply.key(type.name);
    reply.map(type.fields.size());
    for (const core::Field& field : type.fields) {
        reply.key(field.name);
        if (core::is_valid(field, record))
            reply.value(core::read(field, record));
        else
            reply.null();
    }
}

// A value that is not the field's, in words: some of them have no text form.
struct InvalidValue {
    std::string operator()(const std::floating_point auto& value) const {
        if (std::isnan(value)) return "nan";
        if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
        return text_of(value);
    }
    std::string operator()(const core::WordValue& value) const {
        return "word " + std::to_string(value.number);
    }
    std::string operator()(const core::FlagValue& value) const {
        return "bits " + std::to_string(value.bits);
    }
    std::string operator()(const auto& value) const { return text_of(value); }

    static std::string text_of(const core::FieldValue& value) {
        std::string text;
        core::append_text(text, value);
        return text;
    }
};

// "velocity.x nan"
std::string invalid_text(const world::ComponentType& type, const core::Field& field, const void* record) {
    return std::string(type.name) + "." + std::string(field.name) + " " +
           std::visit(InvalidValue{}, core::read(field, record));
}

// Calls use(type, record) for each component that is kept.
template <class Use>
void for_each_kept(const Quarantined& quarantined, Use use) {
    world::for_each_component(quarantined.components(), [&](world::ComponentIndex index) {
        use(world::component_types()[index], quarantined.find(index));
    });
}

void write_row(protocol::ReplyWriter& reply, ecs::Entity entity, const Quarantined& quarantined) {
    std::vector<std::string> invalid;
    for_each_kept(quarantined, [&](const world::ComponentType& type, const void* record) {
        for (const core::Field& field : type.fields)
            if (!core::is_valid(field, record)) invalid.push_back(invalid_text(type, field, record));
    });
    reply.map(5);
    reply.key("id");
    reply.value(core::Handle{entity.raw});
    write_integer(reply, "tick", quarantined.tick());
    reply.key("system");
    reply.text(quarantined.system());
    reply.key("invalid");
    reply.array(invalid.size());
    for (const std::string& text : invalid) reply.text(text);
    reply.key("components");
    reply.map(static_cast<std::size_t>(std::popcount(quarantined.components())));
    for_each_kept(quarantined, [&](const world::ComponentType& type, const void* record) {
        write_kept(reply, type, record);
    });
}

Result<> list_quarantined(Call& call) {
    std::uint64_t rows = kDefaultRows;
    if (!call.words.empty()) {
        const auto wanted = parse_whole("count", call.words[0], 0, call.context.settings.max_query_rows());
        if (!wanted) return std::unexpected(wanted.error());
        rows = *wanted;
    }
    const ecs::Registry& registry = call.context.world.registry;
    rows = std::min<std::uint64_t>(rows, registry.count<Quarantined>());
    call.reply.array(rows);
    registry.view<Quarantined>().each([&](ecs::Entity entity, const Quarantined& quarantined) {
        if (rows == 0) return;
        write_row(call.reply, entity, quarantined);
        --rows;
    });
    return {};
}

Result<> count_quarantined(Call& call) {
    call.reply.integer(static_cast<std::int64_t>(call.context.world.registry.count<Quarantined>()));
    return {};
}

Result<> release_quarantined(Call& call) {
    world::World& world = call.context.world;
    const auto entity = parse_live_entity(world, call.words[0]);
    if (!entity) return std::unexpected(entity.error());
    if (!world::release(world, *entity))
        return failure(ErrorCode::badarg, "entity " + std::string(call.words[0]) +
                                              " is not in quarantine; QUARANTINE LIST shows who is");
    call.reply.ok();
    return {};
}

constexpr std::array kRows{Argument{.name = "count", .type = ArgumentType::integer, .optional = true}};
constexpr std::array kReleased{Argument{.name = "id"}};

constexpr std::array kQuarantineCommands{
    Command{"QUARANTINE",
            "world",
            -2,
            Effect::reads,
            {},
            "Looks at entities that a system gave a value beyond its limits.",
            nullptr},
    Command{"QUARANTINE LIST", "world", -2, Effect::reads, kRows,
            "Shows them (default 100): tick, system, what is not valid, and the components kept aside.",
            &list_quarantined, "QUARANTINE LIST 10"},
    Command{"QUARANTINE COUNT", "world", 2, Effect::reads, {}, "Counts them.", &count_quarantined},
    Command{"QUARANTINE RELEASE", "world", 3, Effect::writes, kReleased,
            "Gives one its components back, with defaults for what was not valid.", &release_quarantined},
};

}  // namespace

std::span<const Command> quarantine_commands() { return kQuarantineCommands; }

}  // namespace evertick::commands
