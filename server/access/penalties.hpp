#pragma once
// How long a peer that gave wrong passwords has to wait: twice as long each time, up to kLongest. Of others
// it knows nothing. Bounded: beyond kMaxPeers the peer whose wait ends first is forgotten. Not thread-safe;
// the time is an argument.

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace evertick::access {

class Penalties {
  public:
    using TimePoint = std::chrono::steady_clock::time_point;
    static constexpr std::size_t kMaxPeers = 1024;
    static constexpr std::chrono::milliseconds kFirst{250};
    static constexpr std::chrono::milliseconds kLongest{4000};
    static constexpr std::chrono::seconds kMemory{60};  // so long after its wait a peer is as any other

    // Until when the peer has to wait; long ago when it has not.
    TimePoint until(std::string_view peer) const;
    // One more wrong password. Returns until when it has to wait. cost: O(kMaxPeers)
    TimePoint add(std::string_view peer, TimePoint now);

    std::size_t size() const { return peers_.size(); }

  private:
    struct Penalty {
        std::chrono::milliseconds wait{0};
        TimePoint until;
    };
    void make_room();

    std::map<std::string, Penalty, std::less<>> peers_;
};

// Who is behind an address such as "192.0.2.1:5000", "[2001:db8::1]:5000" or "unix:/run/evertick.sock": the
// host; of IPv6 the first 64 bits, since whoever has one such address has all of them.
std::string peer_of(std::string_view address);

}  // namespace evertick::access
