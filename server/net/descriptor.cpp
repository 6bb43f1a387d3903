#include "server/net/descriptor.hpp"

#include <asio/posix/stream_descriptor.hpp>

#include <utility>

#include "server/net/event_loop_impl.hpp"

namespace evertick::net {

// The executor's type is spelt out: asio's default hides it behind an indirect call on every wait.
using AsioDescriptor = asio::posix::basic_stream_descriptor<asio::io_context::executor_type>;

struct Descriptor::Impl {
    explicit Impl(asio::io_context& context) : descriptor(context) {}
    AsioDescriptor descriptor;
};

Descriptor::Descriptor(EventLoop& loop, Fd fd) : impl_(std::make_unique<Impl>(loop.impl().context)) {
    impl_->descriptor.assign(fd.get());  // throws before it takes over
    fd.release();
}

Descriptor::~Descriptor() = default;

int Descriptor::fd() const { return impl_->descriptor.is_open() ? impl_->descriptor.native_handle() : -1; }

void Descriptor::wait_readable(std::shared_ptr<Wakeable> owner) {
    if (std::exchange(waiting_readable_, true)) return;
    impl_->descriptor.async_wait(AsioDescriptor::wait_read,
                                 [this, owner = std::move(owner)](asio::error_code error) {
                                     waiting_readable_ = false;
                                     if (!error) owner->wake(Wake::readable);
                                 });
}

void Descriptor::wait_writable(std::shared_ptr<Wakeable> owner) {
    if (std::exchange(waiting_writable_, true)) return;
    impl_->descriptor.async_wait(AsioDescriptor::wait_write,
                                 [this, owner = std::move(owner)](asio::error_code error) {
                                     waiting_writable_ = false;
                                     if (!error) owner->wake(Wake::writable);
                                 });
}

void Descriptor::close() {
    asio::error_code ignored;  // the descriptor is gone whatever close() says
    impl_->descriptor.close(ignored);
}

}  // namespace evertick::net
