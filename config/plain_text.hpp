#pragma once

#include <string_view>

namespace evertick::config {

// Whether text is well-formed UTF-8 without control characters: what a name, an address or a path may be, and
// what can stand in a TOML file and in a line of the log.
// source: RFC 3629
bool is_plain_text(std::string_view text);

}  // namespace evertick::config
