#pragma once
// The other end of a connection: a plain socket that never blocks, driven by poll() in between.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/net/socket.hpp"

namespace evertick::test {

class TestClient {
  public:
    TestClient() : TestClient(AF_INET) {}
    // Connected to a unix socket.
    static TestClient at_path(const std::string& path) {
        TestClient client(AF_UNIX);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.copy(address.sun_path, sizeof address.sun_path - 1);
        client.ended =
            ::connect(client.fd_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0;
        return client;
    }

    // Connects, which the kernel does by itself as long as somebody listens.
    bool connect(std::uint16_t port) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return ::connect(fd_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    }

    void say(std::string_view bytes) {
        unsent_ += bytes;
        send_some();
    }
    // Ends our side; what is still unsent goes first.
    void finish() { finishing_ = true; }
    void stop_reading() { reads_ = false; }
    void read_on() { reads_ = true; }
    void limit_receive_buffer(int bytes) {
        ::setsockopt(fd_.get(), SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    }
    void close() { fd_ = net::Fd(); }
    // Closes so that the peer gets a reset.
    void reset() {
        const linger abortive{.l_onoff = 1, .l_linger = 0};
        ::setsockopt(fd_.get(), SOL_SOCKET, SO_LINGER, &abortive, sizeof abortive);
        close();
    }

    // As when the machine loses its power: no FIN, no reset. False when that is not permitted.
    bool vanish() {
        const int on = 1;
        if (::setsockopt(fd_.get(), IPPROTO_TCP, TCP_REPAIR, &on, sizeof on) != 0) return false;
        close();
        return true;
    }
    void read_one_byte() {
        char byte = 0;
        if (::recv(fd_.get(), &byte, 1, MSG_DONTWAIT) == 1) received += byte;
    }

    // Sends and receives what goes without waiting.
    void poll() {
        if (!fd_) return;
        send_some();
        if (finishing_ && unsent_.empty() && !finished_) finished_ = ::shutdown(fd_.get(), SHUT_WR) == 0;
        while (reads_ && !ended && receive_some()) {
        }
    }

    std::string received;
    bool ended = false;      // the peer's FIN has come
    bool was_reset = false;  // the connection broke instead

  private:
    explicit TestClient(int family) : fd_(::socket(family, SOCK_STREAM, 0)) {}

    void send_some() {
        const ssize_t size = ::send(fd_.get(), unsent_.data(), unsent_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (size > 0) unsent_.erase(0, static_cast<std::size_t>(size));
    }

    bool receive_some() {
        std::array<char, 65'536> bytes;
        const ssize_t size = ::recv(fd_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (size > 0) received.append(bytes.data(), static_cast<std::size_t>(size));
        if (size == 0) ended = true;
        if (size < 0 && errno == ECONNRESET) ended = was_reset = true;
        return size > 0;
    }

    net::Fd fd_;
    std::string unsent_;
    bool finishing_ = false, finished_ = false;
    bool reads_ = true;
};

}  // namespace evertick::test
