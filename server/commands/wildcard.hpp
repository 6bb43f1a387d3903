#pragma once

#include <string_view>

#include "core/result.hpp"

namespace evertick::commands {

inline constexpr std::size_t kMaxPatternBytes = 256;  // a pattern is matched with every name there is

// errors: LIMIT (longer than kMaxPatternBytes)
core::Result<> check_pattern(std::string_view pattern);

// Whether text matches a pattern of literal characters, `?` (any one) and `*` (any run), ASCII case ignored.
// cost: O(pattern + text x longest run between two stars), and a run is given up where the text ends; no
//       recursion. What is matched here are ids and names, 32 bytes at most.
bool matches_wildcard(std::string_view pattern, std::string_view text);

}  // namespace evertick::commands
