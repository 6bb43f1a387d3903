#include "server/access/hash_thread.hpp"

#include <csignal>
#include <utility>

namespace evertick::access {
namespace {

// Signals belong to the simulation thread.
class SignalsBlocked {
  public:
    SignalsBlocked() {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

  private:
    sigset_t before_;
};

}  // namespace

HashThread::~HashThread() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void HashThread::check(std::uint64_t ticket, std::shared_ptr<const Password> password, std::string text) {
    {
        const std::lock_guard lock(mutex_);
        orders_.push_back({ticket, std::move(password), std::move(text)});
    }
    changed_.notify_one();
    if (thread_.joinable()) return;
    const SignalsBlocked inherited;
    thread_ = std::thread([this] { work(); });
}

std::vector<HashThread::Checked> HashThread::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(done_, {});
}

void HashThread::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return ends_ || !orders_.empty(); });
        if (ends_) return;
        Order order = std::move(orders_.front());
        orders_.pop_front();
        lock.unlock();
        const bool right = order.password->confirm(order.text);
        wipe(order.text);
        lock.lock();
        done_.push_back({order.ticket, right});
        lock.unlock();
        finished_();
        lock.lock();
    }
}

}  // namespace evertick::access
