// HSET HGET HMGET HGETALL HLEN HDEL: an entity as Redis clients see it, a flat hash of component.field.

#include <array>
#include <concepts>
#include <memory>
#include <variant>

#include "core/number.hpp"
#include "core/quote.hpp"
#include "server/commands/arguments.hpp"
#include "server/commands/command.hpp"
#include "server/commands/draft.hpp"
#include "server/commands/field_names.hpp"

namespace evertick::commands {
namespace {

using core::ErrorCode;
using core::failure;
using core::Result;
using Words = std::span<const std::string_view>;

constexpr std::size_t kMaxFields = 1024;  // of one command: more than all components have

Result<> check_field_count(std::size_t count) {
    if (count <= kMaxFields) return {};
    return failure(ErrorCode::limit, "at most " + std::to_string(kMaxFields) + " fields in one command");
}

// ---- HSET ----

Result<FieldPath> parse_field(std::string_view name) {
    if (const FieldPath* const known = find_field_path(name)) return *known;
    const auto path = parse_path(name);
    if (path && path->field == nullptr)
        return failure(ErrorCode::badarg,
                       core::quote(name) + " names a component; expected component.field such as position.x");
    return path;
}

// How many fields of the components in `added` the pairs name, each counted once.
// requires: every name is known
std::int64_t count_new_fields(Words pairs, world::ComponentMask added) {
    std::array<std::uint32_t, world::kMaxComponentTypes> seen{};
    std::int64_t count = 0;
    for (std::size_t i = 0; i < pairs.size(); i += 2) {
        const FieldPath path = *find_field_path(pairs[i]);
        if ((added >> path.component & 1U) == 0) continue;
        const auto number = path.field - world::component_types()[path.component].fields.data();
        const std::uint32_t bit = std::uint32_t{1} << number;
        count += (seen[path.component] & bit) == 0 ? 1 : 0;
        seen[path.component] |= bit;
    }
    return count;
}

// The fields that the pairs name.
// errors: BADARG
Result<std::span<const FieldPath>> parse_names(Words pairs, core::MemStack& stack) {
    auto* const paths = static_cast<FieldPath*>(stack.allocate(pairs.size() / 2 * sizeof(FieldPath)));
    for (std::size_t i = 0; i < pairs.size(); i += 2) {
        const auto path = parse_field(pairs[i]);
        if (!path) return std::unexpected(path.error());
        std::construct_at(paths + i / 2, *path);
    }
    return std::span(paths, pairs.size() / 2);
}

// A random entity is in no cache: each step begins to fetch what the next one will need.
Result<> hset(Call& call) {
    const Words pairs = call.words.subspan(1);
    if (pairs.size() % 2 != 0)
        return failure(ErrorCode::err, "HSET: " + core::quote(pairs.back()) +
                                           " has no value; expected HSET id field value [field value ...]");
    if (auto fits = check_field_count(pairs.size() / 2); !fits) return fits;
    world::World& world = call.context.world;
    const auto entity = parse_entity(call.words[0]);
    if (!entity) return std::unexpected(entity.error());
    world.registry.prefetch(*entity);
    const auto paths = parse_names(pairs, call.context.scratch);
    if (auto alive = check_alive(world, *entity); !alive) return alive;
    if (!paths) return std::unexpected(paths.error());
    Draft draft(world, *entity, call.context.scratch);
    for (const FieldPath& path : *paths) draft.prefetch(path.component);
    for (std::size_t i = 0; i < paths->size(); ++i)
        if (auto set = draft.set((*paths)[i], pairs[2 * i + 1]); !set) return set;
    draft.write_to(*entity);
    call.reply.integer(draft.added() == 0 ? 0 : count_new_fields(pairs, draft.added()));
    return {};
}

// ---- HGET, HMGET, HGETALL, HLEN ----

// Redis's hashes hold strings. Libraries for RESP2 rely on it: an integer has no str in hiredis.
void write_value(Call& call, const core::FieldValue& value) {
    if (call.encoding != protocol::Encoding::resp2) return call.reply.value(value);
    std::visit(
        [&]<class Value>(const Value& held) {
            if constexpr (std::same_as<Value, bool>)
                call.reply.text(held ? "1" : "0");
            else if constexpr (std::integral<Value>)
                call.reply.text(core::NumberText(held).text());
            else
                call.reply.value(held);
        },
        value);
}

void write_field(Call& call, ecs::Entity entity, const FieldPath& path) {
    const void* const record =
        world::component_types()[path.component].peek(call.context.world.registry, entity);
    if (record == nullptr)
        call.reply.null();
    else
        write_value(call, core::read(*path.field, record));
}

Result<> hget(Call& call) {
    const auto entity = parse_entity(call.words[0]);
    if (!entity) return std::unexpected(entity.error());
    const auto path = parse_field(call.words[1]);
    if (!path) return std::unexpected(path.error());
    write_field(call, *entity, *path);
    return {};
}

Result<> hmget(Call& call) {
    const Words names = call.words.subspan(1);
    if (auto fits = check_field_count(names.size()); !fits) return fits;
    const auto entity = parse_entity(call.words[0]);
    if (!entity) return std::unexpected(entity.error());
    call.reply.array(names.size());
    for (const std::string_view name : names) {
        const auto path = parse_field(name);
        if (!path) return std::unexpected(path.error());
        write_field(call, *entity, *path);
    }
    return {};
}

std::size_t count_fields(world::ComponentMask components) {
    std::size_t fields = 0;
    world::for_each_component(components, [&](world::ComponentIndex index) {
        fields += world::component_types()[index].fields.size();
    });
    return fields;
}

Result<> hgetall(Call& call) {
    const auto entity = parse_entity(call.words[0]);
    if (!entity) return std::unexpected(entity.error());
    const ecs::Registry& registry = call.context.world.registry;
    const world::ComponentMask components = world::components_of(registry, *entity);
    const auto types = world::component_types();
    std::array<const void*, world::kMaxComponentTypes> records;
    world::for_each_component(components, [&](world::ComponentIndex index) {
        records[index] = types[index].peek(registry, *entity);
        __builtin_prefetch(records[index]);  // all come from memory at once
    });
    call.reply.map(count_fields(components));
    world::for_each_component(components, [&](world::ComponentIndex index) {
        for (std::size_t field = 0; field < types[index].fields.size(); ++field) {
            call.reply.key(full_name(index, field));
            write_value(call, core::read(types[index].fields[field], records[index]));
        }
    });
    return {};
}

Result<> hlen(Call& call) {
    const auto entity = parse_entity(call.words[0]);
    if (!entity) return std::unexpected(entity.error());
    const world::ComponentMask components = world::components_of(call.context.world.registry, *entity);
    call.reply.integer(static_cast<std::int64_t>(count_fields(components)));
    return {};
}

// ---- HDEL ----

// A field cannot be missing from its component, so what can be taken away is the component.
Result<> hdel(Call& call) {
    const auto entity = parse_entity(call.words[0]);
    if (!entity) return std::unexpected(entity.error());
    world::ComponentMask wanted = 0;
    for (const std::string_view name : call.words.subspan(1)) {
        if (name.contains('.'))
            return failure(ErrorCode::badarg, "HDEL removes whole components: write " +
                                                  core::quote(name.substr(0, name.find('.'))) + ", not " +
                                                  core::quote(name));
        const auto component = parse_component(name);
        if (!component) return std::unexpected(component.error());
        wanted |= world::ComponentMask{1} << *component;
    }
    call.reply.integer(
        static_cast<std::int64_t>(world::remove_components(call.context.world.registry, *entity, wanted)));
    return {};
}

// ---- the table ----

constexpr Argument kKey{.name = "id"};
constexpr Argument kField{.name = "component.field"};
constexpr std::array kFieldValue{kField, Argument{.name = "value"}};
constexpr std::array kHset{
    kKey, Argument{.name = "data", .type = ArgumentType::block, .multiple = true, .parts = kFieldValue}};
constexpr std::array kHget{kKey, kField};
constexpr std::array kHmget{kKey, Argument{.name = "component.field", .multiple = true}};
constexpr std::array kOnlyId{kKey};
constexpr std::array kHdel{kKey, Argument{.name = "component", .multiple = true}};

constexpr std::array kHashCommands{
    Command{"HSET", "redis", -4, Effect::writes, kHset,
            "Changes fields of an entity, adding components that are missing; answers how many fields it had "
            "not.",
            &hset, "HSET 0:0 position.x 5 health.current 40"},
    Command{"HGET", "redis", 3, Effect::reads, kHget, "The value of one field.", &hget,
            "HGET 0:0 position.x"},
    Command{"HMGET", "redis", -3, Effect::reads, kHmget, "The values of some fields.", &hmget,
            "HMGET 0:0 position.x health.current"},
    Command{"HGETALL", "redis", 2, Effect::reads, kOnlyId, "Every field of an entity, by its full name.",
            &hgetall, "HGETALL 0:0"},
    Command{"HLEN", "redis", 2, Effect::reads, kOnlyId, "How many fields an entity has.", &hlen},
    Command{"HDEL", "redis", -3, Effect::writes, kHdel,
            "Removes whole components; answers how many there were.", &hdel, "HDEL 0:0 health"},
};

}  // namespace

std::span<const Command> hash_commands() { return kHashCommands; }

}  // namespace evertick::commands
