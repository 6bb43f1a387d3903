#include "server/net/acceptor.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

namespace evertick::net {
namespace {

bool is_exhaustion(int errno_value) {
    return errno_value == EMFILE || errno_value == ENFILE || errno_value == ENOBUFS || errno_value == ENOMEM;
}

}  // namespace

Acceptor::Acceptor(EventLoop& loop, Fd listening_socket, const Options& options,
                   std::function<void(Fd, const Endpoint&)> accepted)
    : socket_(loop, std::move(listening_socket)), options_(options), accepted_(std::move(accepted)) {}

void Acceptor::wake(Wake) {
    for (std::size_t left = options_.accepts_per_wakeup; left > 0 && accept_one(); --left) {
    }
    if (!paused_ && socket_.fd() >= 0) start();
}

void Acceptor::retry_when_paused() {
    if (std::exchange(paused_, false)) wake(Wake::readable);
}

// Whether another may be there.
bool Acceptor::accept_one() {
    Accepted accepted = accept_from(socket_.fd());
    if (accepted.socket) {
        accepted_(std::move(accepted.socket), accepted.peer);
        return socket_.fd() >= 0;
    }
    if (is_exhaustion(accepted.errno_value)) {
        paused_ = true;
        report_pause_(
            options_.report,
            "cannot accept connections for now: " + std::generic_category().message(accepted.errno_value),
            EventLoop::Clock::now());
        return false;
    }
    // Everything else befell one connection that was gone before we came; accept(2) lists what may.
    return accepted.errno_value != EAGAIN;
}

}  // namespace evertick::net
