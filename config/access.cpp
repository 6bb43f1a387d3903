#include "config/access.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "core/quote.hpp"

namespace evertick::config {
namespace {

bool is_ipv4_loopback(const std::string& address) {
    in_addr parsed{};
    return inet_pton(AF_INET, address.c_str(), &parsed) == 1 && (ntohl(parsed.s_addr) >> 24U) == 127;
}

bool is_ipv4(const std::string& address) {
    in_addr parsed{};
    return inet_pton(AF_INET, address.c_str(), &parsed) == 1;
}

// Of a name that a resolver would take. Digits and dots alone are an IPv4 address with a mistake in it.
bool is_host_name(const std::string& address) {
    const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '.'; };
    return !address.empty() && address.find_first_not_of("0123456789.") != std::string::npos &&
           std::ranges::all_of(address, fits);
}

bool is_ipv6(const std::string& address) {
    const std::string without_scope = address.substr(0, address.find('%'));
    in6_addr parsed{};
    return inet_pton(AF_INET6, without_scope.c_str(), &parsed) == 1;
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
    if (!is_ipv4(settings.bind) && !is_ipv6(settings.bind) && !is_host_name(settings.bind))
        return core::failure(core::ErrorCode::badarg,
                             "bind: " + core::quote(settings.bind) +
                                 " is not an address; expected one such as 127.0.0.1, ::1 or localhost");
    if (settings.password_file.empty() && !settings.readonly_password_file.empty())
        return core::failure(core::ErrorCode::badarg,
                             "readonly-password-file without password-file: nobody could change anything");
    if (settings.insecure || !settings.password_file.empty() || is_loopback(settings.bind)) return {};
    return core::failure(
        core::ErrorCode::err,
        "refusing to listen on " + core::quote(settings.bind) +
            " without a password: give one (--password-file FILE or EVERTICK_PASSWORD_FILE), "
            "or let whoever reaches it command the server (--insecure or "
            "EVERTICK_INSECURE=true); or stay on this machine with --bind 127.0.0.1");
}

}  // namespace evertick::config
