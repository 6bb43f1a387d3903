#include "server/net/socket.hpp"

#include <arpa/inet.h>
#include <linux/sockios.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>

namespace evertick::net {
namespace {

constexpr int kKeepaliveProbes = 3;

std::string reason(int errno_value) { return std::generic_category().message(errno_value); }

std::string listen_error(const std::string& address, std::uint16_t port, int errno_value) {
    const std::string at = "port " + std::to_string(port) + " on " + address;
    switch (errno_value) {
        case EADDRINUSE: return at + " is already in use; --port N takes another, --port 0 a free one";
        case EACCES: return at + " is not permitted; ports below 1024 need privileges";
        case EADDRNOTAVAIL: return "cannot listen on " + at + ": this machine does not have that address";
        default: return "cannot listen on " + at + ": " + reason(errno_value);
    }
}

void set_option(int socket, int level, int name, int value) {
    // May fail for a connection that is already broken; the next read says so.
    static_cast<void>(::setsockopt(socket, level, name, &value, sizeof value));
}

// An open socket, or the errno that says why not.
std::pair<Fd, int> listen_on(const addrinfo& info) {
    Fd fd(::socket(info.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!fd) return {Fd(), errno};
    set_option(fd.get(), SOL_SOCKET, SO_REUSEADDR, 1);  // restart without waiting for old connections to fade
    if (::bind(fd.get(), info.ai_addr, info.ai_addrlen) != 0) return {Fd(), errno};
    if (::listen(fd.get(), kBacklog) != 0) return {Fd(), errno};
    return {std::move(fd), 0};
}

Endpoint endpoint_of(const sockaddr_in& address) {
    char text[INET_ADDRSTRLEN] = "";
    ::inet_ntop(AF_INET, &address.sin_addr, text, sizeof text);
    constexpr std::uint32_t kLoopbackNet = 127;
    const std::uint16_t port = ntohs(address.sin_port);
    return {.text = std::string(text) + ":" + std::to_string(port),
            .port = port,
            .loopback = ntohl(address.sin_addr.s_addr) >> 24 == kLoopbackNet};
}

Endpoint endpoint_of(const sockaddr_in6& address) {
    if (IN6_IS_ADDR_V4MAPPED(&address.sin6_addr)) {  // an IPv4 peer of a socket that listens on [::]
        sockaddr_in mapped{};
        mapped.sin_port = address.sin6_port;
        std::memcpy(&mapped.sin_addr, &address.sin6_addr.s6_addr[12], sizeof mapped.sin_addr);
        return endpoint_of(mapped);
    }
    char text[INET6_ADDRSTRLEN] = "";
    ::inet_ntop(AF_INET6, &address.sin6_addr, text, sizeof text);
    const std::uint16_t port = ntohs(address.sin6_port);
    return {.text = "[" + std::string(text) + "]:" + std::to_string(port),
            .port = port,
            .loopback = IN6_IS_ADDR_LOOPBACK(&address.sin6_addr) != 0};
}

Endpoint endpoint_of(const sockaddr_un& address) {
    return {.text = std::string("unix:") + address.sun_path, .loopback = true};
}

Endpoint endpoint_of(const sockaddr_storage& storage) {
    if (storage.ss_family == AF_UNIX) {
        sockaddr_un address;
        std::memcpy(&address, &storage, sizeof address);
        return endpoint_of(address);
    }
    if (storage.ss_family == AF_INET) {
        sockaddr_in address;
        std::memcpy(&address, &storage, sizeof address);
        return endpoint_of(address);
    }
    if (storage.ss_family == AF_INET6) {
        sockaddr_in6 address;
        std::memcpy(&address, &storage, sizeof address);
        return endpoint_of(address);
    }
    return Endpoint{.text = "unknown"};
}

}  // namespace

Fd::~Fd() {
    if (fd_ >= 0) ::close(fd_);
}

core::Result<Fd> open_listening_socket(const std::string& address, std::uint16_t port) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICSERV;
    addrinfo* found = nullptr;
    const int failed = ::getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found);
    if (failed != 0)
        return core::failure(core::ErrorCode::err,
                             "cannot listen on '" + address + "': " + ::gai_strerror(failed));
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, &::freeaddrinfo);

    int first_failure = 0;
    for (const bool ipv4 : {true, false}) {
        for (const addrinfo* info = found; info != nullptr; info = info->ai_next) {
            if ((info->ai_family == AF_INET) != ipv4) continue;
            auto [fd, errno_value] = listen_on(*info);
            if (fd) return std::move(fd);
            if (first_failure == 0) first_failure = errno_value;
        }
    }
    return core::failure(core::ErrorCode::err, listen_error(address, port, first_failure));
}

Accepted accept_from(int listening_socket) {
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    Fd fd(
        ::accept4(listening_socket, reinterpret_cast<sockaddr*>(&peer), &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!fd) return {.socket = Fd(), .peer = {}, .errno_value = errno};
    // The peer of a unix socket has no name of its own.
    Endpoint endpoint = peer.ss_family == AF_UNIX ? local_endpoint(fd.get()) : endpoint_of(peer);
    return {.socket = std::move(fd), .peer = std::move(endpoint), .errno_value = 0};
}

Endpoint local_endpoint(int socket) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    if (::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0)
        return Endpoint{.text = "unknown"};
    return endpoint_of(address);
}

bool discard_input(int socket) {
    std::array<char, std::size_t{64} << 10> scrap;
    const ssize_t size = ::recv(socket, scrap.data(), scrap.size(), MSG_TRUNC);  // TCP copies nothing then
    return size > 0 || (size < 0 && (errno == EAGAIN || errno == EINTR));
}

bool is_quiet(int socket) {
    int unread = 0, unsent = 0;
    return ::ioctl(socket, SIOCINQ, &unread) == 0 && unread == 0 &&  //
           ::ioctl(socket, SIOCOUTQ, &unsent) == 0 && unsent == 0;
}

bool is_broken(int socket) {
    pollfd state{.fd = socket, .events = 0, .revents = 0};
    return ::poll(&state, 1, 0) > 0;  // POLLERR or POLLHUP, which are told unasked
}

void tune(int listening_socket, std::chrono::seconds keepalive) {
    set_option(listening_socket, IPPROTO_TCP, TCP_NODELAY, 1);
    const int seconds = static_cast<int>(std::clamp<std::chrono::seconds::rep>(keepalive.count(), 0, 32'767));
    set_option(listening_socket, SOL_SOCKET, SO_KEEPALIVE, seconds > 0 ? 1 : 0);
    set_option(listening_socket, IPPROTO_TCP, TCP_USER_TIMEOUT,
               2 * seconds * 1000);  // 0: the kernel's own patience
    if (seconds == 0) return;
    set_option(listening_socket, IPPROTO_TCP, TCP_KEEPIDLE, seconds);
    set_option(listening_socket, IPPROTO_TCP, TCP_KEEPINTVL, std::max(seconds / kKeepaliveProbes, 1));
    set_option(listening_socket, IPPROTO_TCP, TCP_KEEPCNT, kKeepaliveProbes);
}

}  // namespace evertick::net
