#include "server/net/acceptor.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace evertick::net {
namespace {

bool is_exhaustion(int errno_value) {
    return errno_value == EMFILE || errno_value == ENFILE || errno_value == ENOBUFS || errno_value == ENOMEM;
}

// Any descriptor does.
Fd new_reserve() { return Fd(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }

}  // namespace

Acceptor::Acceptor(EventLoop& loop, Fd listening_socket, const Options& options,
                   std::function<void(Fd, const Endpoint&)> accepted)
    : socket_(loop, std::move(listening_socket)),
      options_(options),
      accepted_(std::move(accepted)),
      reserve_(new_reserve()) {}

void Acceptor::wake(Wake) {
    for (std::size_t left = options_.accepts_per_wakeup; left > 0 && accept_one(); --left) {
    }
    if (!paused_ && socket_.fd() >= 0) start();
}

void Acceptor::retry_when_paused() {
    if (!std::exchange(paused_, false)) return;
    wake(Wake::readable);
    if (paused_) refuse_some();
}

// Whether another may be there.
bool Acceptor::accept_one() {
    Accepted accepted = accept_from(socket_.fd());
    if (accepted.socket) {
        accepted_(std::move(accepted.socket), accepted.peer);
        return socket_.fd() >= 0;
    }
    if (is_exhaustion(accepted.errno_value)) {
        pause(accepted.errno_value);
        return false;
    }
    // Everything else befell one connection that was gone before we came; accept(2) lists what may.
    return accepted.errno_value != EAGAIN;
}

void Acceptor::pause(int errno_value) {
    paused_ = true;
    report_pause_(options_.report,
                  "cannot accept connections for now: " + std::generic_category().message(errno_value),
                  EventLoop::Clock::now());
}

void Acceptor::refuse_some() {
    for (std::size_t left = options_.accepts_per_wakeup; left > 0; --left) {
        reserve_ = Fd();
        const Accepted accepted = accept_from(socket_.fd());
        if (accepted.socket) refuse(accepted.socket, "-ERR the server is out of file descriptors\r\n");
        if (!accepted.socket) break;
    }
    reserve_ = new_reserve();
}

void Acceptor::refuse(const Fd& socket, std::string_view error_line) {
    static_cast<void>(::send(socket.get(), error_line.data(), error_line.size(), MSG_NOSIGNAL));
    ::shutdown(socket.get(), SHUT_WR);
    // A request that is here already would turn the close into a reset, which can overtake the refusal.
    discard_input(socket.get());
}

}  // namespace evertick::net
