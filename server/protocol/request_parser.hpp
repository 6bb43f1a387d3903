#pragma once
// Turns a client's bytes into requests: RESP arrays of bulk strings, or inline lines. Bytes only, no
// sockets. Strict: see server/protocol/README.md for the grammar and every error.
//
// The parser owns the input buffer, so that a socket reads straight into it and the words of a request are
// views into it. It is incremental: each byte is looked at once, however the bytes are split, and nothing
// is reserved because a header announced it.
// Not thread-safe; one per connection.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace evertick::protocol {

// Limits of one connection; each is a setting.
struct RequestLimits {
    std::size_t max_arguments = 262'144;           // words per request, the command's name included
    std::size_t max_bulk_bytes = 1 << 20;
    std::size_t max_inline_bytes = 64 * 1024;      // with or without its newline
    std::size_t max_pending_bytes = 4 << 20;       // unparsed input held for one client
};

// words[0] is the command's name as the client wrote it; never empty. The views live until the next call
// of a non-const member of the parser that made them.
struct Request {
    std::span<const std::string_view> words;
};

class RequestParser {
  public:
    enum class Status {
        request,     // request() holds one
        incomplete,  // needs more bytes
        malformed,   // error() says why; the connection must be closed after it is told
        http,        // an HTTP request: close without an answer
    };

    explicit RequestParser(const RequestLimits& limits);

    // Room for the next bytes, at least one byte; then commit how many arrived.
    // cost: amortised O(1) per byte; the buffer shrinks again when idle
    std::span<char> prepare(std::size_t wanted_bytes);
    void commit(std::size_t count);

    // Advances to the next request. Blank lines, comments, `*0` and `*-1` are skipped. Once malformed or
    // http it stays so.
    Status next();
    const Request& request() const;
    const core::Error& error() const;

    // At the client's FIN: whether an unfinished request is left over.
    bool has_unfinished() const;

    std::size_t pending_bytes() const;
    std::size_t buffer_bytes() const;  // what it holds in memory

  private:
    // ...
};

}  // namespace evertick::protocol
