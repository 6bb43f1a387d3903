#pragma once

#include <string_view>

#include "core/result.hpp"
#include "server/world/query.hpp"

namespace evertick::commands {

// One condition of WHERE, such as "health.current<20".
// errors: BADARG: names the word, what is wrong with it, and the form
core::Result<world::FieldCondition> parse_condition(std::string_view word);

}  // namespace evertick::commands
