#pragma once
// The one place where an error's message becomes bytes on the wire, in every encoding.

#include <cstddef>
#include <string>
#include <string_view>

namespace evertick::protocol {

inline constexpr std::size_t kMaxLineTextBytes = 1024;  // before escaping

// Appends the text as printable ASCII without a line end: other bytes become \xHH, and what is over the limit
// is cut and marked with "...". So nothing a client sent can end the line early or drive a terminal.
void append_line_text(std::string& out, std::string_view text);

}  // namespace evertick::protocol
