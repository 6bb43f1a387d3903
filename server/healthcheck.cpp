#include "server/healthcheck.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

namespace evertick::server {
namespace {

constexpr timeval kPatience{.tv_sec = 3, .tv_usec = 0};

// An address that listens everywhere is asked on loopback.
std::string reachable(const std::string& bind) {
    if (bind == "0.0.0.0") return "127.0.0.1";
    if (bind == "::") return "::1";
    return bind;
}

class Connection {
  public:
    explicit Connection(const addrinfo& address)
        : descriptor_(::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
        ::setsockopt(descriptor_, SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);  // connect() too
        connected_ = ::connect(descriptor_, address.ai_addr, address.ai_addrlen) == 0;
    }
    ~Connection() { ::close(descriptor_); }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    bool connected() const { return connected_; }

    // Whether a PING is answered, if only by the demand for a password.
    bool pings() {
        constexpr std::string_view kPing = "PING\r\n";
        constexpr std::string_view kPong = "+PONG\r\n";
        constexpr std::string_view kLogin = "-NOAUTH";
        static_assert(kPong.size() == kLogin.size());
        if (::send(descriptor_, kPing.data(), kPing.size(), MSG_NOSIGNAL) < 0) return false;
        std::array<char, kPong.size()> reply{};
        const ssize_t count = ::recv(descriptor_, reply.data(), reply.size(), MSG_WAITALL);
        const std::string_view answer(reply.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
        return answer == kPong || answer == kLogin;
    }

  private:
    int descriptor_;
    bool connected_;
};

}  // namespace

core::Result<> healthcheck(const config::Settings& settings) {
    const std::string host = reachable(settings.bind);
    const std::string place = host + " port " + std::to_string(settings.port);
    const addrinfo hints{.ai_socktype = SOCK_STREAM};
    addrinfo* found = nullptr;
    if (const int code = ::getaddrinfo(host.c_str(), std::to_string(settings.port).c_str(), &hints, &found);
        code != 0)
        return core::failure(core::ErrorCode::err, place + ": " + ::gai_strerror(code));
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(found, &::freeaddrinfo);
    Connection connection(*addresses);
    if (!connection.connected())
        return core::failure(core::ErrorCode::err,
                             "nothing answers on " + place + ": " + std::strerror(errno));
    if (!connection.pings()) return core::failure(core::ErrorCode::err, "no PONG from " + place);
    return {};
}

}  // namespace evertick::server
