#pragma once
// The one way a command answers: a stream of values, encoded as RESP2, RESP3 or a JSON line while they come.
// Bytes only: appends to the connection's output, no sockets. Containers announce their length, so a
// handler counts before it writes; nothing is built as a tree, nothing is allocated but the output.
//
//     reply.map(2);  reply.key("x");  reply.number(1.5F);  reply.key("y");  reply.number(2.0F);
//
// invariant: between begin() and end() exactly one value (with its children) or one error is written. A
//            handler that miscounts is our mistake and is stopped at once (verified): its reply would put the
//            connection out of step for good.
// Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/result.hpp"
#include "core/schema.hpp"
#include "core/units.hpp"

namespace evertick::protocol {

enum class Encoding : std::uint8_t { resp2, resp3, json };

class ReplyWriter {
  public:
    virtual ~ReplyWriter() = default;

    // Opens and closes the reply to one request: the JSON envelope with tick and the client's @tag (without
    // the @; it must outlive the reply); nothing in RESP.
    virtual void begin(core::Tick tick, std::string_view tag) = 0;
    virtual void end() = 0;
    // Around one value that may turn out to be an error: a reply within the array that EXEC answers. In JSON
    // the error is {"code":...,"error":...}. requires: not within another part (verified)
    virtual void begin_part() = 0;
    virtual void end_part() = 0;
    virtual void cancel_part() = 0;  // when an exception ends it: fail() must come next
    // Takes back what was written since begin(), or begin_part(), and answers the error instead. Control
    // bytes in the message never reach the wire.
    virtual void fail(const core::Error& error) = 0;
    // HELLO answers in the version (2 or 3) it switches to. requires: no value written yet; JSON ignores it
    virtual void use_resp(std::uint8_t version) = 0;
    virtual std::size_t size_bytes() const = 0;  // of the reply so far

    virtual void status(std::string_view word) = 0;  // +OK; JSON string. Printable ASCII
    virtual void text(
        std::string_view bytes) = 0;  // bulk string, any bytes; JSON string, invalid UTF-8 replaced
    virtual void verbatim(std::string_view text) = 0;  // human text; RESP3 verbatim, else as text()
    virtual void integer(std::int64_t value) = 0;
    virtual void number(float value) = 0;   // shortest text that reads back; RESP2 bulk, RESP3 double
    virtual void number(double value) = 0;  // requires: finite (verified)
    virtual void boolean(bool value) = 0;   // RESP2 0/1
    virtual void null() = 0;
    virtual void array(std::size_t count) = 0;
    virtual void map(std::size_t count) = 0;  // then count times key(), value; RESP2: flat array of 2 x count
    virtual void key(std::string_view name) = 0;
    virtual void push(std::size_t count) = 0;  // out of band; RESP2 and JSON: as array()

    void ok() { status("OK"); }
    // Any field, by its kind: numbers and booleans as above, a word as its text, a handle as
    // "index:generation" or "none", flags as "a,b" in RESP and an array of words in JSON. An unsigned integer
    // over 2^63 - 1 is text in RESP, which knows none.
    void value(const core::FieldValue& value);

  protected:
    virtual void unsigned_integer(std::uint64_t value) = 0;
    virtual void flags(const core::FlagValue& value) = 0;
    virtual void handle(core::Handle value) = 0;
};

}  // namespace evertick::protocol
