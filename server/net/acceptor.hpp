#pragma once
// Takes new connections from one listening socket, a few per wake-up. When the system has no descriptor left
// it pauses instead of spinning, until it is told to try again; when there is still none, it gives up the one
// it keeps in reserve to tell a few of those who wait, so that nobody hangs for good.
// Not thread-safe.

#include <functional>

#include "server/net/descriptor.hpp"
#include "server/net/options.hpp"
#include "server/net/throttled_report.hpp"

namespace evertick::net {

class Acceptor final : public Wakeable {
  public:
    // options outlives it, unless it is closed. Throws std::system_error when the kernel will not watch the
    // socket.
    Acceptor(EventLoop& loop, Fd listening_socket, const Options& options,
             std::function<void(Fd, const Endpoint&)> accepted);

    // Tells a peer whom we cannot take, as far as it goes without waiting.
    static void refuse(const Fd& socket, std::string_view error_line);

    void start() { socket_.wait_readable(shared_from_this()); }
    void wake(Wake why) override;
    void retry_when_paused();
    void close() { socket_.close(); }

    int fd() const { return socket_.fd(); }

  private:
    bool accept_one();
    void pause(int errno_value);
    void refuse_some();

    Descriptor socket_;
    const Options& options_;
    std::function<void(Fd, const Endpoint&)> accepted_;
    Fd reserve_;
    bool paused_ = false;
    ThrottledReport report_pause_;
};

}  // namespace evertick::net
