#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace evertick::config {

// Where the first byte beyond ASCII stands outside strings and comments, if there is one. TOML forbids it,
// and toml++ 3.3 does not survive it: its table of white space runs into an unreachable point at most
// letters. cost: O(text)
std::optional<std::size_t> find_stray_byte(std::string_view text);

}  // namespace evertick::config
