#pragma once
// Every limit and pace of the connections. The server fills it from its settings; it may change at run time.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string_view>

#include "server/protocol/request_parser.hpp"

namespace evertick::net {

struct Options {
    std::size_t max_clients = 10'000;  // of which up to kReservedForLoopback only for peers on this machine
    std::size_t accepts_per_wakeup = 10;
    protocol::RequestLimits request;  // of connections accepted, and logins, from now on
    protocol::RequestLimits request_before_login{.max_arguments = 10,
                                                 .max_bulk_bytes = 16 << 10,
                                                 .max_inline_bytes = 16 << 10,
                                                 .max_pending_bytes = 64 << 10,
                                                 .before_login = true};
    std::size_t output_soft_bytes = 1 << 20;   // unsent replies: takes no more requests from that client
    std::size_t output_hard_bytes = 32 << 20;  // unsent replies: closes the connection
    std::size_t push_queue_bytes = 256 << 10;  // unsent, beyond which events are lost
    std::size_t clients_memory_bytes = std::size_t{256} << 20;  // input and output of all clients together
    std::size_t commands_per_slice = 256;  // of one client, before the others and the tick get a turn
    std::chrono::microseconds slice{500};  // the same in time; one command may overrun it
    std::chrono::seconds idle_timeout{0};  // 0: never
    std::chrono::seconds keepalive{60};    // of connections accepted from now on; 0: off

    // Told in one line what an operator may want to know; must not throw. Peers cannot flood it.
    std::function<void(std::string_view)> report;
};

// Unsent replies of a client that has not logged in: takes no more requests from it.
inline constexpr std::size_t kOutputBytesBeforeLogin = std::size_t{16} << 10;

// So that an operator can still get in when strangers have taken every other place.
inline constexpr std::size_t kReservedForLoopback = 8;

// Whether one more client may come in. Of a very small number of places at most half are reserved.
inline bool has_place(const Options& options, std::size_t clients, bool from_loopback) {
    const std::size_t reserved = from_loopback ? 0 : std::min(kReservedForLoopback, options.max_clients / 2);
    return clients < options.max_clients - reserved;
}

}  // namespace evertick::net
