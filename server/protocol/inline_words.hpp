#pragma once
// The words of an inline command, as a person types it:  ECHO "two words"\n
//
//   words are separated by blanks: space, tab, VT, FF, CR
//   # as the first character: the whole line is a comment
//   "..."  with \n \r \t \" \\ \xHH      '...'  with \'
//   a quote may open inside a word (name="a b"); after the closing quote comes a blank or the end of the line

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace evertick::protocol {

// Appends the line's words; none when it is blank or a comment. Escapes are replaced where they stand, so
// the words are views into the line.
// setting: what the error for too many words names
// requires: the line has no newline      errors: ERR; the line and the words are then of no use
// cost:     O(size of the line)
core::Result<> split_inline(std::span<char> line, std::size_t max_words, std::vector<std::string_view>& words,
                            std::string_view setting = "(max-arguments)");

// Whether the line, or the beginning of one, is blank or a comment.
bool has_no_words(std::string_view line);

// Whether it is the first line of an HTTP request, or a header a browser sends early.
bool looks_like_http(std::string_view line);

}  // namespace evertick::protocol
