#include "server/net/signals.hpp"

#include <asio/signal_set.hpp>

#include <csignal>
#include <utility>

#include "server/net/event_loop_impl.hpp"

namespace evertick::net {

struct SignalSource::Impl : std::enable_shared_from_this<Impl> {
    Impl(EventLoop& loop, std::function<void(int)> callback)
        : signals(loop.impl().context, SIGINT, SIGTERM, SIGHUP), received(std::move(callback)) {}

    void wait() {
        signals.async_wait([self = shared_from_this()](asio::error_code error, int signal) {
            if (error || self->gone) return;
            self->wait();
            self->received(signal);
        });
    }

    asio::signal_set signals;
    std::function<void(int)> received;
    bool gone = false;  // a signal may be on its way when the source goes
};

SignalSource::SignalSource(EventLoop& loop, std::function<void(int signal)> received)
    : impl_(std::make_shared<Impl>(loop, std::move(received))) {
    std::signal(SIGPIPE, SIG_IGN);
    impl_->wait();
}

SignalSource::~SignalSource() {
    impl_->gone = true;
    asio::error_code ignored;
    impl_->signals.clear(ignored);  // gives the signals their old effect back
    impl_->signals.cancel(ignored);
}

}  // namespace evertick::net
