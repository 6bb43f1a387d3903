#pragma once
// verify(): always on, in every build. It guards our own invariants, never somebody's input: when it
// fails the program is wrong, and stopping at once with the place and the reason is the kindest thing.

#include <source_location>
#include <string_view>

namespace evertick::core {

// Prints "file:line: function: verify failed: message" to standard error and aborts.
[[noreturn, gnu::cold]] void verify_failed(std::string_view message, std::source_location where);

// requires: nothing; cost: one predictable branch.
constexpr void verify(bool holds, std::string_view message,
                      std::source_location where = std::source_location::current()) {
    if (!holds) [[unlikely]]
        verify_failed(message, where);
}

}  // namespace evertick::core
