#pragma once
// Words into values, with errors that name the argument, the reason and the accepted form.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "ecs/registry.hpp"
#include "server/world/component_type.hpp"
#include "server/world/query.hpp"
#include "server/world/world.hpp"

namespace evertick::commands {

// errors: BADARG
core::Result<std::uint64_t> parse_whole(std::string_view argument, std::string_view text, std::uint64_t min,
                                        std::uint64_t max);
core::Result<double> parse_decimal(std::string_view argument, std::string_view text, double min, double max);

// Three coordinates within the world's limits. requires: words.size() == 3
// errors: BADARG
core::Result<world::Vector3> parse_point(std::string_view argument, std::span<const std::string_view> words);

// Numbers are words of their own: the words that should be `form` have no commas.
// errors: BADARG, when someone wrote NEAR 0,0,0 10 as one writes position=0,0,0
core::Result<> check_apart(std::string_view argument, std::string_view form,
                           std::span<const std::string_view> words);

// A name that CLIENT LIST can show in one field of one line. errors: BADARG
core::Result<> check_client_name(std::string_view argument, std::string_view name);

// A handle as text, alive or not. errors: BADARG
core::Result<ecs::Entity> parse_entity(std::string_view text);

// errors: NOENT (says whether it never existed or is gone)
core::Result<> check_alive(const world::World& world, ecs::Entity entity);

// A handle of a live entity. errors: BADARG, NOENT (says whether it never existed or is gone)
core::Result<ecs::Entity> parse_live_entity(const world::World& world, std::string_view text);

// How many ids one command takes.
inline constexpr std::size_t kMaxIds = 10'000;
// errors: LIMIT
core::Result<> check_id_count(std::size_t count);

// How many commands or topics one HELP, COMMAND INFO or COMMAND DOCS describes.
inline constexpr std::size_t kMaxNames = 128;
// errors: LIMIT
core::Result<> check_name_count(std::size_t count);

// A component by name. errors: BADARG with the nearest name
core::Result<world::ComponentIndex> parse_component(std::string_view name);

// "a,b" as a set of components. errors: BADARG
core::Result<world::ComponentMask> parse_components(std::string_view argument, std::string_view list);

// "position.x" or "position" (field == nullptr). errors: BADARG with the nearest name
struct FieldPath {
    world::ComponentIndex component;
    const core::Field* field;
};
core::Result<FieldPath> parse_path(std::string_view path);

// Calls visit(item) for each item of "a,b,c", stopping at the first error.
template <class Visit>
core::Result<> for_each_item(std::string_view list, Visit visit) {
    for (;;) {
        const std::size_t comma = list.find(',');
        if (auto done = visit(list.substr(0, comma)); !done) return done;
        if (comma == std::string_view::npos) return {};
        list.remove_prefix(comma + 1);
    }
}

}  // namespace evertick::commands
