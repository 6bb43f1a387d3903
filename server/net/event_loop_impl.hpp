#pragma once
// Private to net: what EventLoop keeps of asio. Only .cpp files of this folder include it.

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>

#include "server/net/event_loop.hpp"

namespace evertick::net {

struct EventLoop::Impl {
    // 1: never more than one thread inside, so no wake-ups between threads; posting from another is still
    // safe. Doing without locks altogether (UNSAFE) measured the same.
    asio::io_context context{1};
    // Without it a loop that nobody waits on would count as finished, and run_one() would return at once.
    asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};
};

}  // namespace evertick::net
