#include "server/net/timer.hpp"

#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>

#include "core/verify.hpp"
#include "server/net/descriptor.hpp"

namespace evertick::net {
namespace {

Fd new_timerfd() {
    Fd fd(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC));  // the steady clock's own
    if (!fd) throw std::system_error(errno, std::generic_category(), "timerfd_create");
    return fd;
}

timespec timespec_of(EventLoop::Duration duration) {
    // All zeros would disarm it.
    const auto nanoseconds = std::max<EventLoop::Duration>(duration, std::chrono::nanoseconds(1)).count();
    return {.tv_sec = nanoseconds / 1'000'000'000, .tv_nsec = nanoseconds % 1'000'000'000};
}

}  // namespace

class Timer::Alarm final : public Wakeable {
  public:
    Alarm(EventLoop& loop, std::function<void()> fired)
        : timerfd_(loop, new_timerfd()), fired_(std::move(fired)) {}

    void wait() { timerfd_.wait_readable(shared_from_this()); }

    void wake(Wake) override {
        std::uint64_t expirations = 0;
        const ssize_t size = ::read(timerfd_.fd(), &expirations, sizeof expirations);
        wait();
        if (size > 0) fired_();  // else it was set anew in the meantime
    }

    void set(int flags, const itimerspec& when) { ::timerfd_settime(timerfd_.fd(), flags, &when, nullptr); }
    void close() { timerfd_.close(); }

  private:
    Descriptor timerfd_;
    std::function<void()> fired_;
};

Timer::Timer(EventLoop& loop, std::function<void()> fired)
    : alarm_(std::make_shared<Alarm>(loop, std::move(fired))) {
    alarm_->wait();
}

Timer::~Timer() { alarm_->close(); }

void Timer::at(EventLoop::TimePoint time) {
    if (std::exchange(at_, time) == time) return;
    alarm_->set(TFD_TIMER_ABSTIME, {.it_interval = {}, .it_value = timespec_of(time.time_since_epoch())});
}

void Timer::every(EventLoop::Duration period) {
    core::verify(period > EventLoop::Duration::zero(), "Timer::every: the period is longer than nothing");
    at_ = {};
    alarm_->set(0, {.it_interval = timespec_of(period), .it_value = timespec_of(period)});
}

}  // namespace evertick::net
