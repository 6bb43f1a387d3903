#pragma once
// A file descriptor that the event loop watches. It waits only: reading, writing and accepting are plain
// system calls on fd(), made by whoever was woken.
//
// One wait costs one epoll_ctl. That is a system call less than reading ahead to find nothing there, which
// is what asio's own asynchronous read does on every turn.
// Not thread-safe.

#include <memory>

#include "server/net/event_loop.hpp"
#include "server/net/socket.hpp"
#include "server/net/wakeable.hpp"

namespace evertick::net {

class Descriptor {
  public:
    // Takes the descriptor over. Throws std::system_error when the kernel will not watch it.
    Descriptor(EventLoop& loop, Fd fd);
    ~Descriptor();
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int fd() const;  // -1 once closed

    // Wakes the owner, once, when the descriptor is ready. Waiting for what is waited for already is nothing.
    // requires: this is a part of owner
    void wait_readable(std::shared_ptr<Wakeable> owner);
    void wait_writable(std::shared_ptr<Wakeable> owner);

    // Ends both waits without waking anybody. A wake that is under way already may still come.
    void close();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
    bool waiting_readable_ = false;
    bool waiting_writable_ = false;
};

}  // namespace evertick::net
