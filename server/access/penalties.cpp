#include "server/access/penalties.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>

namespace evertick::access {

Penalties::TimePoint Penalties::until(std::string_view peer) const {
    const auto found = peers_.find(peer);
    return found == peers_.end() ? TimePoint{} : found->second.until;
}

Penalties::TimePoint Penalties::add(std::string_view peer, TimePoint now) {
    std::erase_if(peers_, [&](const auto& entry) { return now - entry.second.until > kMemory; });
    auto found = peers_.find(peer);
    if (found == peers_.end()) {
        if (peers_.size() == kMaxPeers) make_room();
        found = peers_.emplace(peer, Penalty{}).first;
    }
    Penalty& penalty = found->second;
    penalty.wait = std::clamp(2 * penalty.wait, kFirst, kLongest);
    penalty.until = now + penalty.wait;
    return penalty.until;
}

void Penalties::make_room() {
    peers_.erase(std::ranges::min_element(peers_, {}, [](const auto& entry) { return entry.second.until; }));
}

std::string peer_of(std::string_view address) {
    if (address.starts_with("unix:")) return std::string(address);
    const std::string_view host = address.substr(0, address.rfind(':'));
    if (!host.starts_with('[')) return std::string(host);
    std::array<unsigned char, sizeof(in6_addr)> bytes{};
    const std::string text(host.substr(1, host.size() - 2));
    if (::inet_pton(AF_INET6, text.c_str(), bytes.data()) != 1) return std::string(host);
    std::fill(bytes.begin() + 8, bytes.end(), static_cast<unsigned char>(0));
    std::array<char, INET6_ADDRSTRLEN> network{};
    ::inet_ntop(AF_INET6, bytes.data(), network.data(), network.size());
    return std::string(network.data()) + "/64";
}

}  // namespace evertick::access
