#pragma once
// What the server knows about one connection, apart from its socket. Plain data: net makes it, commands
// read and change it.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "server/protocol/reply_writer.hpp"
#include "server/protocol/transaction.hpp"

namespace evertick::protocol {

// What a client may do. Without a password everybody is `full` from the start.
enum class Role : std::uint8_t {
    nobody,    // has to log in first
    readonly,  // may look
    full,
};

// The user of that role, as AUTH takes it and CLIENT LIST shows it.
constexpr std::string_view name(Role role) {
    constexpr std::string_view kNames[] = {"nobody", "readonly", "default"};
    return kNames[static_cast<std::size_t>(role)];
}

struct Client {
    std::uint64_t id = 0;  // 1, 2, ...; never reused
    std::string address;   // "127.0.0.1:50312", as in CLIENT LIST
    std::string local_address;
    std::string name;          // CLIENT SETNAME
    std::string library_name;  // CLIENT SETINFO
    std::string library_version;
    Role role = Role::full;
    std::uint8_t resp = 2;                     // HELLO: 2 or 3
    bool json = false;                         // OUTPUT json
    std::uint32_t subscriptions = 0;           // to events
    bool monitors = false;                     // is shown every command
    std::unique_ptr<Transaction> transaction;  // between MULTI and EXEC
    std::uint64_t commands = 0;
    std::string_view last_command;  // "tick|info"; the name lives as long as the program
    std::chrono::steady_clock::time_point connected_at;
    std::chrono::steady_clock::time_point last_active_at;

    // RESP2 has no push: what comes unasked would be taken for a reply, so that there are none meanwhile.
    bool only_listens() const { return subscriptions > 0 && encoding() == Encoding::resp2; }

    Encoding encoding() const {
        if (json) return Encoding::json;
        return resp == 3 ? Encoding::resp3 : Encoding::resp2;
    }
};

}  // namespace evertick::protocol
