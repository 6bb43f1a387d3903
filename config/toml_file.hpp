#pragma once
// Settings from a TOML file: `name = value` at the top level, no sections.

#include <cstddef>
#include <string>
#include <string_view>

#include "config/assignment.hpp"

namespace evertick::config {

inline constexpr std::size_t kMaxFileBytes = 1 << 20;

// errors: ERR: the file cannot be read, or is longer than kMaxFileBytes; and those of parse_toml
Assignments read_toml_file(const std::string& path);

// path is only named in errors and origins. A value must have the TOML type of its setting: a string for
// words and text, an integer or a float for numbers. TOML integers end at 2^63 - 1: a greater one is a
// string. errors: ERR: syntax, unknown key (names the nearest), section; BADARG: wrong type; each with file
// and line.
//         Of several the first in the file.
Assignments parse_toml(std::string_view text, const std::string& path);

// Returns text as a TOML string with its quotes. requires: is_plain_text(text)
std::string toml_string(std::string_view text);

}  // namespace evertick::config
