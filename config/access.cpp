#include "config/access.hpp"

#include <arpa/inet.h>

#include <cstring>

#include "core/quote.hpp"

namespace evertick::config {
namespace {

bool is_ipv4_loopback(const std::string& address) {
    in_addr parsed{};
    return inet_pton(AF_INET, address.c_str(), &parsed) == 1 && (ntohl(parsed.s_addr) >> 24U) == 127;
}

bool is_ipv6_loopback(const std::string& address) {
    in6_addr parsed{};
    return inet_pton(AF_INET6, address.c_str(), &parsed) == 1 &&
           std::memcmp(&parsed, &in6addr_loopback, sizeof parsed) == 0;
}

}  // namespace

bool is_loopback(const std::string& address) {
    return address == "localhost" || is_ipv4_loopback(address) || is_ipv6_loopback(address);
}

core::Result<> check_access(const Settings& settings) {
    if (settings.insecure || is_loopback(settings.bind)) return {};
    return core::failure(core::ErrorCode::err,
                         "refusing to listen on " + core::quote(settings.bind) +
                             " without a password: bind to a loopback address such as 127.0.0.1 (--bind or "
                             "EVERTICK_BIND), or let whoever reaches it command the server (--insecure or "
                             "EVERTICK_INSECURE=true)");
}

}  // namespace evertick::config
