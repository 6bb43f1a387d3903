#pragma once
// SIGINT, SIGTERM and SIGHUP as calls on the simulation thread, between two handlers. What they mean is the
// server's business; it is told each time one comes.
//
// While it lives those three no longer end the process; SIGPIPE is ignored from then on for good: a client
// that is gone is an error of write().
// At most one at a time (asio's rule is one loop per process for signals). Not thread-safe.

#include <functional>
#include <memory>

#include "server/net/event_loop.hpp"

namespace evertick::net {

class SignalSource {
  public:
    SignalSource(EventLoop& loop, std::function<void(int signal)> received);
    ~SignalSource();
    SignalSource(const SignalSource&) = delete;
    SignalSource& operator=(const SignalSource&) = delete;

  private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace evertick::net
