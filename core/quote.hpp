#pragma once
// Other people's bytes, made fit to be shown: in an error message, a log line, on a terminal.

#include <cstddef>
#include <string>
#include <string_view>

namespace evertick::core {

inline constexpr std::size_t kMaxQuotedBytes = 64;

// Appends text with every byte outside printable ASCII as \xHH; what is past max_bytes of text becomes "...".
// Escaping what is escaped already changes nothing. cost: O(max_bytes)
void append_escaped(std::string& out, std::string_view text, std::size_t max_bytes);

// Returns 'text', escaped and cut at kMaxQuotedBytes.
std::string quote(std::string_view text);

}  // namespace evertick::core
