#pragma once
// The words that give a filter, and the query around it, their shape.

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "core/result.hpp"

namespace evertick::commands {

enum class Keyword : std::uint8_t {
    with,
    without,
    flags,
    where,
    near,
    box,
    nearest,  // the last of those that say which entities match
    returns,
    count,
    limit,
    cursor  // the last of all
};

using KeywordSet = std::uint32_t;
constexpr KeywordSet bit(Keyword keyword) { return KeywordSet{1} << std::to_underlying(keyword); }

inline constexpr KeywordSet kAllKeywords = 2 * bit(Keyword::cursor) - 1;
inline constexpr KeywordSet kConditionKeywords = 2 * bit(Keyword::nearest) - 1;
inline constexpr KeywordSet kRegions = bit(Keyword::near) | bit(Keyword::box) | bit(Keyword::nearest);
inline constexpr KeywordSet kPaging = bit(Keyword::returns) | bit(Keyword::limit) | bit(Keyword::cursor);

// As it is written, in upper case.
std::string_view name_of(Keyword keyword);

// In any case; nothing when the word is no keyword.
std::optional<Keyword> find_keyword(std::string_view word);

// BADARG for a word that is none of the allowed keywords: says what it may have been meant to be.
std::unexpected<core::Error> unexpected_word(std::string_view word, KeywordSet allowed);

}  // namespace evertick::commands
