#pragma once
// The port, and a unix socket beside it: accepts connections and owns them until they are closed. What
// clients say goes to a RequestSink, one request after the other, on the thread that serves the loop.
//
// Life: construct, open(), serve the loop; at the end stop_accepting(), drain(), serve until drained() or out
// of patience, close_all(). The loop and the sink outlive it.
// Clients are iterated in the order of their ids.
// Not thread-safe. All of it may be called from within RequestSink::request, unless it says otherwise.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "core/result.hpp"
#include "server/net/event_loop.hpp"
#include "server/net/options.hpp"
#include "server/net/request_sink.hpp"

namespace evertick::net {

class Listener {
  public:
    Listener(EventLoop& loop, RequestSink& sink, const Options& options);
    ~Listener();  // close_all()
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    // Listens on an address (IPv4, IPv6, or a name such as localhost); port 0 takes a free one.
    // requires: it does not listen yet (verified)
    // errors:   ERR: "port 7777 on 127.0.0.1 is already in use", and the like
    core::Result<> open(const std::string& address, std::uint16_t port);

    // Listens on a unix socket as well; see open_unix_socket(). errors: ERR, naming path and reason
    core::Result<> open_unix(const std::string& path, mode_t permissions);

    // Where it listens by TCP: "127.0.0.1:7777", "[::1]:7777". Empty and 0 while it does not.
    const std::string& local_address() const;
    std::uint16_t port() const;

    // Replaces every option: for the connections that exist too, unless Options says otherwise.
    void set_options(const Options& options);
    const Options& options() const;

    std::size_t client_count() const;
    std::size_t held_bytes() const;  // input and output of all clients together
    // The visitor must not close clients: note their ids and kill() them after.
    void for_each_client(const std::function<void(const protocol::Client&)>& visit) const;
    protocol::Client* find(std::uint64_t client_id) const;  // null: no such client

    // Closes a client at once; itself, from within its own request, after its reply. False: no such client.
    bool kill(std::uint64_t client_id);

    // Brings the reply of a request that answered Next::wait, and lets the client go on. False: no such
    // client, or it does not wait.
    bool resume(std::uint64_t client_id, std::string reply);

    // Sends a client what no request of it asked for; see Session::push(). May be called from anywhere.
    bool push(std::uint64_t client_id, std::string_view bytes);

    void stop_accepting();
    // Takes nothing more from anybody: what was received is executed and answered, then each is closed, a
    // peer that does not close its side within 0.2 s of that too; who is idle is closed at once. One that
    // waits keeps the drain waiting for resume().
    void drain();
    bool drained() const;  // nobody is left
    void close_all();      // at once, whatever is unsent

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace evertick::net
