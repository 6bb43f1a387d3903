#pragma once
// Sockets as plain system calls: opening, accepting, naming. Nothing here waits, and nothing here knows
// the event loop.

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "core/result.hpp"

namespace evertick::net {

// Owns one file descriptor.
class Fd {
  public:
    Fd() = default;
    explicit Fd(int fd) : fd_(fd) {}
    Fd(Fd&& other) noexcept : fd_(other.release()) {}
    Fd& operator=(Fd&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Fd();

    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }
    int release() { return std::exchange(fd_, -1); }

  private:
    int fd_ = -1;
};

inline constexpr int kBacklog = 4096;  // the kernel cuts it to net.core.somaxconn

struct Endpoint {
    std::string text;  // "127.0.0.1:7777", "[::1]:7777", "unix:/run/evertick.sock"
    std::uint16_t port = 0;
    bool loopback = false;  // on this machine
};

// Listens on address (IPv4, IPv6, or a name such as localhost) and port; port 0 takes a free one. Of a name's
// addresses the first that can be had is taken, IPv4 before IPv6.
// errors: ERR, naming address, port and reason
core::Result<Fd> open_listening_socket(const std::string& address, std::uint16_t port);

struct Accepted {
    Fd socket;  // non-blocking; none: errno_value says why
    Endpoint peer;
    int errno_value = 0;
};
Accepted accept_from(int listening_socket);

Endpoint local_endpoint(int socket);

// Drops what the peer has sent, up to a limit, without looking at it. Whether the peer may still send more.
bool discard_input(int socket);

// Whether nothing is on its way: all that was sent has arrived at the peer, and nothing of its own waits
// here.
bool is_quiet(int socket);

// Whether nothing can be sent any more. A peer that has only ended its own sending still takes replies.
bool is_broken(int socket);

// Without delay for small replies; a peer that is gone without a word is noticed within about twice the given
// time, whether we wait for it or it for us. Zero: it is never probed. Sockets accepted later inherit it.
void tune(int listening_socket, std::chrono::seconds keepalive);

}  // namespace evertick::net
