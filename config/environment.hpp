#pragma once
// Settings from the environment: EVERTICK_MAX_CLIENTS=100.

#include <span>
#include <string>
#include <string_view>

#include "config/assignment.hpp"

namespace evertick::config {

// "NAME=value" strings, as in `environ`; the strings outlive the call only.
using Environment = std::span<const char* const>;

// The entries of a list that ends with a null pointer, such as `environ` or argv.
Environment entries(const char* const* null_terminated);

// "max-clients" -> "EVERTICK_MAX_CLIENTS"
std::string variable_name(std::string_view setting);

// Variables that do not begin with EVERTICK_ are other people's; one that does must be a setting.
// errors: ERR: unknown variable (names the nearest), variable set twice
Assignments read_environment(Environment environment);

}  // namespace evertick::config
