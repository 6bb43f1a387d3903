#pragma once

#include <string>
#include <string_view>

namespace evertick::protocol {

// Appends the bytes as a JSON string with its quotes. A byte that belongs to no well-formed UTF-8 sequence
// becomes U+FFFD; control characters are escaped, so the text has no line end.
// cost: O(bytes)      source: RFC 8259 section 7, RFC 3629 section 4
void append_json_string(std::string& out, std::string_view bytes);

}  // namespace evertick::protocol
