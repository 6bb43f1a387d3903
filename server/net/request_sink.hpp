#pragma once
// Where net delivers what clients say. The server implements it; net knows nothing behind it.

#include <chrono>
#include <string>

#include "core/result.hpp"
#include "server/protocol/client.hpp"
#include "server/protocol/request_parser.hpp"

namespace evertick::net {

// What becomes of the connection after a request.
enum class Next {
    proceed,  // take its next request
    wait,     // its reply comes later through Listener::resume(); take nothing from it until then
    close,    // flush what is in out, then close; ignore what follows
};

class RequestSink {
  public:
    virtual ~RequestSink() = default;

    virtual void connected(protocol::Client& client) = 0;
    virtual void disconnected(protocol::Client& client) = 0;

    // Executes one request on the simulation thread and appends its reply to out.
    virtual Next request(protocol::Client& client, const protocol::Request& request, std::string& out) = 0;

    // Told after request() how long it took, from the bytes to the reply; its words are still there.
    virtual void took(protocol::Client&, std::chrono::steady_clock::duration) {}

    // Appends an error that belongs to no command (a malformed request, an unfinished last line) in the
    // client's encoding.
    virtual void protocol_error(protocol::Client& client, const core::Error& error, std::string& out) = 0;
};

}  // namespace evertick::net
