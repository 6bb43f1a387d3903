#pragma once

#include <string_view>

namespace evertick::commands {

// Whether text matches a pattern of literal characters, `?` (any one) and `*` (any run), ASCII case ignored.
// cost: O(pattern x text) at worst, no recursion: a hostile "a*a*a*b" is not exponential
bool matches_wildcard(std::string_view pattern, std::string_view text);

}  // namespace evertick::commands
