#pragma once
// Result<T>: what a function returns when the world (a client, a file, a socket) may be at fault.
// Our own mistakes go to verify() instead.

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace evertick::core {

// The first word of an error reply. A closed set: clients switch on it.
enum class ErrorCode : std::uint8_t {
    err,     // syntax, unknown command
    noent,   // no such entity
    badarg,  // an argument: names it, the reason, the accepted form
    wrongtype,
    limit,  // a named limit was met
    oom,
    busy,
    loading,
    noauth,
    wrongpass,
    noperm,
    noproto,
    execabort,
    readonly,
};

// "ERR", "NOENT", ...: as it stands on the wire.
std::string_view name(ErrorCode code);

struct Error {
    ErrorCode code = ErrorCode::err;
    std::string message;  // one sentence for a person: what was wrong and what would be right
};

template <class T = void>
using Result = std::expected<T, Error>;

// Shorthand: `return failure(ErrorCode::badarg, "...");` from a function that returns a Result.
inline std::unexpected<Error> failure(ErrorCode code, std::string message) {
    return std::unexpected(Error{code, std::move(message)});
}

}  // namespace evertick::core
