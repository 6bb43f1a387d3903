#pragma once
// Turns a client's bytes into requests: RESP arrays of bulk strings, or inline lines. Bytes only, no
// sockets. Strict: server/protocol/README.md has the grammar and every error.
//
// The parser owns the input buffer, so that a socket reads straight into it and the words of a request are
// views into it. What it finds depends on the bytes alone, never on how they were split.
// cost: linear in the bytes, however they are split: only a header whose CR LF is still to come, some ten
//       bytes, is read again; nothing is reserved because a header announced it
// Not thread-safe; one per connection.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "server/protocol/input_buffer.hpp"

namespace evertick::protocol {

// Limits of one connection; each is a setting.
struct RequestLimits {
    std::size_t max_arguments = 262'144;                   // words per request, the command's name included
    std::size_t max_bulk_bytes = std::size_t{1} << 20;     // of one word
    std::size_t max_inline_bytes = std::size_t{64} << 10;  // of one line, its newline come or not
    std::size_t max_pending_bytes = std::size_t{4} << 20;  // held of one unfinished request
    bool before_login = false;                             // errors name the settings max-...-before-login
};

// At least one word, the command's name as the client wrote it; any word may be empty. The words live until
// the next call of a non-const member of the parser that made them.
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

    // requires: every limit is between 1 and 2^48 (verified)
    explicit RequestParser(const RequestLimits& limits);

    // For requests not yet begun. requires: as the constructor (verified)
    void set_limits(const RequestLimits& limits);

    // Exactly `wanted` bytes (at least 1) to read into; then commit how many arrived.
    // cost: amortised O(1) per byte
    std::span<char> prepare(std::size_t wanted_bytes);
    void commit(std::size_t count);

    // Advances to the next request. Blank lines, comments, `*0` and `*-1` are skipped. Once malformed or
    // http it stays so. When it has used up everything it gives large buffers back.
    Status next();
    const Request& request() const { return request_; }
    const core::Error& error() const { return error_; }

    // At the client's FIN, after next() said incomplete: whether an unfinished request is left over.
    bool has_unfinished() const;
    core::Error unfinished_error() const;  // what to answer then

    std::size_t pending_bytes() const { return buffer_.size(); }  // not yet returned by next()
    std::size_t buffer_bytes() const;                             // what it holds in memory
    void check_invariants() const;

  private:
    // Each takes one request, or what there is of it, from the front of the buffer; nothing when it was one
    // to be skipped.
    std::optional<Status> take_request();
    std::optional<Status> take_array();
    std::optional<Status> take_line();

    Status take_words();
    std::optional<Status> take_word(std::string_view bytes);  // nothing when it took one
    Status finish(std::size_t size_bytes);
    Status malformed(std::string_view what);
    std::string setting(std::string_view name) const;  // "(max-arguments)", for errors
    std::string next_word() const;                     // "word 2 of 3", for errors
    void release_if_idle();

    RequestLimits limits_;
    InputBuffer buffer_;
    std::vector<std::string_view> words_;  // of the request returned, or of the array under way
    std::size_t missing_words_ = 0;        // of the array under way; 0 between requests
    std::size_t scanned_bytes_ = 0;        // of the unfinished request: need not be looked at again
    Status status_ = Status::incomplete;
    Request request_;
    core::Error error_;
};

}  // namespace evertick::protocol
