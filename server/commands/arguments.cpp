#include "server/commands/arguments.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/nearest_name.hpp"
#include "core/quote.hpp"
#include "core/schema.hpp"
#include "server/commands/table.hpp"
#include "server/world/components.hpp"

namespace evertick::commands {
namespace {

using core::did_you_mean;
using core::ErrorCode;
using core::failure;
using core::quote;

constexpr std::size_t kMaxClientNameBytes = 256;

core::Field bounded(core::Kind kind, double min, double max) {
    return {.name = {}, .kind = kind, .at = nullptr, .words = nullptr, .info = {.min = min, .max = max}};
}

std::string joined(std::span<const std::string_view> names) {
    std::string out;
    for (const std::string_view name : names) {
        out += out.empty() ? "" : ", ";
        out += name;
    }
    return out;
}

std::vector<std::string_view> component_names() {
    std::vector<std::string_view> names;
    for (const world::ComponentType& type : world::component_types()) names.push_back(type.name);
    return names;
}

std::vector<std::string_view> field_names(const world::ComponentType& type) {
    std::vector<std::string_view> names;
    for (const core::Field& field : type.fields) names.push_back(field.name);
    return names;
}

std::unexpected<core::Error> no_entity(const world::World& world, ecs::Entity entity) {
    std::string message = "no entity " + ecs::to_text(entity) + ": ";
    if (!world.registry.was_made(entity)) return failure(ErrorCode::noent, message + "it never existed");
    message += "it was destroyed";
    if (const ecs::Entity now = world.registry.entity_at(entity.index()); now != ecs::Entity::null)
        message += ", and index " + std::to_string(entity.index()) + " is now " + ecs::to_text(now);
    return failure(ErrorCode::noent, std::move(message));
}

// What someone may have meant who wrote this in the place of an id.
std::string_view hint(std::string_view text) {
    if (text.find_first_of("<>=") != std::string_view::npos) return "; a condition comes after WHERE";
    if (equal_ignoring_case(text, "ALL") || text == "*") return "; CLEAR destroys all";
    if (equal_ignoring_case(text, "DRYRUN")) return "; DRYRUN goes with a filter: DESTROY WITH ai DRYRUN";
    if (text.find_first_not_of("0123456789:") == std::string_view::npos && text.size() > 1)
        return "; index and generation are below 2^32, and not both 2^32 - 1";
    return {};
}

}  // namespace

core::Result<std::uint64_t> parse_whole(std::string_view argument, std::string_view text, std::uint64_t min,
                                        std::uint64_t max) {
    const core::Field field = bounded(core::Kind::u64, static_cast<double>(min), static_cast<double>(max));
    const auto value = core::parse_value(field, argument, text);
    if (!value) return std::unexpected(value.error());
    return std::get<std::uint64_t>(*value);
}

core::Result<double> parse_decimal(std::string_view argument, std::string_view text, double min, double max) {
    const auto value = core::parse_value(bounded(core::Kind::f64, min, max), argument, text);
    if (!value) return std::unexpected(value.error());
    return std::get<double>(*value);
}

core::Result<world::Vector3> parse_point(std::string_view argument, std::span<const std::string_view> words) {
    constexpr std::array<std::string_view, 3> kAxes{" x", " y", " z"};
    std::array<float, 3> point{};
    for (std::size_t axis = 0; axis < point.size(); ++axis) {
        const std::string where = std::string(argument) + std::string(kAxes[axis]);
        const auto value = parse_decimal(where, words[axis], -world::kWorldLimit, world::kWorldLimit);
        if (!value) return std::unexpected(value.error());
        point[axis] = static_cast<float>(*value);
    }
    return world::Vector3{point[0], point[1], point[2]};
}

core::Result<> check_apart(std::string_view argument, std::string_view form,
                           std::span<const std::string_view> words) {
    const auto joint = std::ranges::find_if(words, [](auto word) {
        return word.contains(',') && word.find_first_not_of("0123456789+-.eE,") == word.npos;
    });
    if (joint == words.end()) return {};
    std::string apart(*joint);
    if (apart.back() == ',') apart.pop_back();
    std::ranges::replace(apart, ',', ' ');
    return failure(ErrorCode::badarg, std::string(argument) + " takes " + std::string(form) +
                                          " with spaces between them: " + quote(apart) + ", not " +
                                          quote(*joint));
}

core::Result<> check_client_name(std::string_view argument, std::string_view name) {
    const bool printable = std::ranges::all_of(name, [](char c) { return c > ' ' && c <= '~'; });
    if (printable && name.size() <= kMaxClientNameBytes) return {};
    return failure(ErrorCode::badarg, std::string(argument) + " is at most " +
                                          std::to_string(kMaxClientNameBytes) +
                                          " printable characters without spaces");
}

core::Result<ecs::Entity> parse_entity(std::string_view text) {
    const auto entity = ecs::parse_entity(text);
    if (!entity || *entity == ecs::Entity::null)
        return failure(ErrorCode::badarg,
                       "id: " + quote(text) +
                           " is not an entity; expected index:generation such as 0:0, or the raw integer" +
                           std::string(hint(text)));
    return *entity;
}

core::Result<> check_alive(const world::World& world, ecs::Entity entity) {
    if (world.registry.valid(entity)) return {};
    return no_entity(world, entity);
}

core::Result<ecs::Entity> parse_live_entity(const world::World& world, std::string_view text) {
    const auto entity = parse_entity(text);
    if (entity && !world.registry.valid(*entity)) return no_entity(world, *entity);
    return entity;
}

core::Result<> check_id_count(std::size_t count) {
    if (count <= kMaxIds) return {};
    return failure(ErrorCode::limit, "at most " + std::to_string(kMaxIds) + " ids in one command, not " +
                                         std::to_string(count));
}

core::Result<> check_name_count(std::size_t count) {
    if (count <= kMaxNames) return {};
    return failure(ErrorCode::limit,
                   "at most " + std::to_string(kMaxNames) + " names, or none for an overview of all");
}

core::Result<world::ComponentIndex> parse_component(std::string_view name) {
    if (const auto index = world::find_component(name)) return *index;
    const auto names = component_names();
    if (name.empty())
        return failure(ErrorCode::badarg,
                       "a component's name is missing; write lists without spaces, such as position,health");
    return failure(ErrorCode::badarg, "unknown component " + quote(name) + did_you_mean(name, names) +
                                          "; there are " + joined(names));
}

core::Result<world::ComponentMask> parse_components(std::string_view argument, std::string_view list) {
    world::ComponentMask mask = 0;
    const auto done = for_each_item(list, [&](std::string_view name) -> core::Result<> {
        const auto index = parse_component(name);
        if (!index) return failure(index.error().code, std::string(argument) + ": " + index.error().message);
        mask |= world::ComponentMask{1} << *index;
        return {};
    });
    if (!done) return std::unexpected(done.error());
    return mask;
}

core::Result<FieldPath> parse_path(std::string_view path) {
    const std::size_t dot = path.find('.');
    const auto component = parse_component(path.substr(0, dot));
    if (!component) return std::unexpected(component.error());
    if (dot == std::string_view::npos) return FieldPath{*component, nullptr};
    const world::ComponentType& type = world::component_types()[*component];
    const std::string_view name = path.substr(dot + 1);
    if (const core::Field* field = type.find(name)) return FieldPath{*component, field};
    const auto names = field_names(type);
    return failure(ErrorCode::badarg, "component " + std::string(type.name) + " has no field " + quote(name) +
                                          did_you_mean(name, names) + "; it has " + joined(names));
}

}  // namespace evertick::commands
