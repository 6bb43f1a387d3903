// GET SET UNSET EXISTS: entities by handle.

#include <array>

#include "server/commands/arguments.hpp"
#include "server/commands/command.hpp"
#include "server/commands/draft.hpp"
#include "server/commands/projection.hpp"

namespace evertick::commands {
namespace {

using core::Result;

Result<> get(Call& call) {
    const world::World& world = call.context.world;
    const auto entity = parse_live_entity(world, call.words[0]);
    if (!entity) return std::unexpected(entity.error());
    const auto paths = call.words.subspan(1);
    if (paths.size() == 1 && paths[0].contains('.')) {
        const auto path = parse_path(paths[0]);
        if (!path) return std::unexpected(path.error());
        const void* const record = world::component_types()[path->component].peek(world.registry, *entity);
        if (record == nullptr)
            call.reply.null();
        else
            call.reply.value(core::read(*path->field, record));
        return {};
    }
    Projection projection;
    for (const std::string_view path : paths)
        if (auto added = projection.add(path); !added) return added;
    projection.write(call.reply, world, *entity);
    return {};
}

Result<> set(Call& call) {
    world::World& world = call.context.world;
    const auto entity = parse_live_entity(world, call.words[0]);
    if (!entity) return std::unexpected(entity.error());
    Draft draft(world, *entity, call.context.scratch);
    for (const std::string_view word : call.words.subspan(1))
        if (auto applied = draft.apply(word); !applied) return applied;
    draft.write_to(*entity);
    call.reply.ok();
    return {};
}

Result<> unset(Call& call) {
    world::World& world = call.context.world;
    const auto entity = parse_live_entity(world, call.words[0]);
    if (!entity) return std::unexpected(entity.error());
    world::ComponentMask wanted = 0;
    for (const std::string_view name : call.words.subspan(1)) {
        const auto component = parse_component(name);
        if (!component) return std::unexpected(component.error());
        wanted |= world::ComponentMask{1} << *component;
    }
    call.reply.integer(static_cast<std::int64_t>(world::remove_components(world.registry, *entity, wanted)));
    return {};
}

Result<> exists(Call& call) {
    if (auto fits = check_id_count(call.words.size()); !fits) return fits;
    std::int64_t alive = 0;
    for (const std::string_view word : call.words) {
        const auto entity = parse_entity(word);
        if (!entity) return std::unexpected(entity.error());
        alive += call.context.world.registry.valid(*entity) ? 1 : 0;
    }
    call.reply.integer(alive);
    return {};
}

// ---- the table ----

constexpr Argument kId{.name = "id"};
constexpr std::array kGet{kId, Argument{.name = "component[.field]", .optional = true, .multiple = true}};
constexpr std::array kSet{kId, Argument{.name = "component[.field]=value", .multiple = true}};
constexpr std::array kUnset{kId, Argument{.name = "component", .multiple = true}};
constexpr std::array kExists{Argument{.name = "id", .multiple = true}};

constexpr std::array kEntityCommands{
    Command{"GET", "world", -2, Effect::reads, kGet,
            "Shows an entity's components; with one component.field, its bare value.", &get,
            "GET 0:0\nGET 0:0 position velocity.x"},
    Command{"SET", "world", -3, Effect::writes, kSet, "Changes components, adding those that are missing.",
            &set, "SET 0:0 position.x=5 health=40,100 flags=+elite,-hostile"},
    Command{"UNSET", "world", -3, Effect::writes, kUnset, "Removes components; answers how many there were.",
            &unset, "UNSET 0:0 velocity ai"},
    Command{"EXISTS", "world", -2, Effect::reads, kExists, "Counts how many of the ids are alive.", &exists},
};

}  // namespace

std::span<const Command> entity_commands() { return kEntityCommands; }

}  // namespace evertick::commands
