#pragma once
// The oracle of what may be on the wire: a strict reader of replies, that shares nothing with the writers.

#include <cstddef>
#include <string_view>

#include "server/protocol/reply_writer.hpp"

namespace evertick::fuzz {

// Aborts unless the bytes are whole, well-formed values of the encoding: RESP values of that version, or
// lines of JSON. Returns how many.
std::size_t check_values(std::string_view bytes, protocol::Encoding encoding);

// Whether a reply, well-formed, is an error as a whole.
bool is_error(std::string_view reply, protocol::Encoding encoding);

}  // namespace evertick::fuzz
