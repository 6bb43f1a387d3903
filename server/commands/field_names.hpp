#pragma once
// Every field of the world by its full name, "position.x": what HSET, HGET and HGETALL speak.

#include <cstddef>
#include <string_view>

#include "server/commands/arguments.hpp"
#include "server/world/component_type.hpp"

namespace evertick::commands {

// The field of that name, or nullptr. cost: O(length)
const FieldPath* find_field_path(std::string_view full_name);

// "position.x" for the first field of position. requires: both exist
std::string_view full_name(world::ComponentIndex component, std::size_t field);

}  // namespace evertick::commands
