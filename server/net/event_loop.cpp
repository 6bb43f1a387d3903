#include "server/net/event_loop.hpp"

#include <asio/post.hpp>

#include <algorithm>
#include <utility>

#include "server/net/event_loop_impl.hpp"
#include "server/net/timer.hpp"
#include "server/net/wakeable.hpp"

namespace evertick::net {

EventLoop::EventLoop() : impl_(std::make_unique<Impl>()), timer_(std::make_unique<Timer>(*this, [] {})) {}

EventLoop::~EventLoop() = default;

void EventLoop::serve_until(TimePoint deadline) {
    if (Clock::now() >= deadline) return serve_ready(kLateBudget);
    deadline_ = deadline;
    timer_->at(deadline);
    while (!interrupted_ && Clock::now() < deadline) impl_->context.run_one();
    interrupted_ = false;
}

void EventLoop::serve_ready(Duration budget) {
    deadline_ = Clock::now() + budget;
    while (!interrupted_ && impl_->context.poll_one() > 0 && Clock::now() < deadline_) {
    }
    interrupted_ = false;
}

EventLoop::TimePoint EventLoop::slice_end(TimePoint now, Duration slice) const {
    return now < deadline_ ? std::min(now + slice, deadline_) : now + slice;
}

void EventLoop::post(std::shared_ptr<Wakeable> who) {
    asio::post(impl_->context, [who = std::move(who)] { who->wake(Wake::turn); });
}

}  // namespace evertick::net
