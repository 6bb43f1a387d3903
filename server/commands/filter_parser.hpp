#pragma once
// The words of QUERY, COUNT and DESTROY WHERE into a filter.
//
//   [WITH a,b] [WITHOUT c] [FLAGS f,g] [WHERE field<op>value ...] [NEAR x y z r | BOX x1 y1 z1 x2 y2 z2 |
//   NEAREST x y z k] [RETURN component[.field],... | COUNT] [LIMIT n] [CURSOR c]
//
// Each keyword at most once, in any order and any case.

#include <cstdint>
#include <span>
#include <string_view>

#include "core/mem_stack.hpp"
#include "core/result.hpp"
#include "server/commands/projection.hpp"
#include "server/world/query.hpp"

namespace evertick::commands {

struct QueryOrder {
    world::Filter filter;  // its conditions live on the stack that was passed
    Projection returned;
    bool count_only = false;
    std::size_t limit = 0;
    std::uint64_t cursor = 0;
};

inline constexpr std::size_t kDefaultQueryLimit = 100;

// Everything QUERY takes. errors: BADARG, LIMIT (rows over max_rows; names CURSOR)
core::Result<QueryOrder> parse_query(std::span<const std::string_view> words, std::size_t max_rows,
                                     core::MemStack& stack);

// The conditions alone, as COUNT takes them. errors: BADARG
core::Result<world::Filter> parse_filter(std::span<const std::string_view> words, core::MemStack& stack);

// As DESTROY takes them: at least one condition, and no NEAREST. errors: BADARG
core::Result<world::Filter> parse_destroy_filter(std::span<const std::string_view> words,
                                                 core::MemStack& stack);

// Whether a word is a keyword that begins a condition.
bool starts_filter(std::string_view word);

}  // namespace evertick::commands
