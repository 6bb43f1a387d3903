// CLIENT: this connection and the others, as an operator looks at them.

#include <array>
#include <chrono>
#include <string>

#include "core/quote.hpp"
#include "server/commands/arguments.hpp"
#include "server/commands/command.hpp"
#include "server/commands/table.hpp"

namespace evertick::commands {
namespace {

using core::ErrorCode;
using core::failure;
using core::Result;

std::string describe(const protocol::Client& client, std::chrono::steady_clock::time_point now) {
    const auto seconds = [](auto duration) {
        return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(duration).count());
    };
    return "id=" + std::to_string(client.id) + " addr=" + client.address + " laddr=" + client.local_address +
           " name=" + client.name + " age=" + seconds(now - client.connected_at) +
           " idle=" + seconds(now - client.last_active_at) + " db=0 cmd=" + std::string(client.last_command) +
           " user=" + std::string(protocol::name(client.role)) + " lib-name=" + client.library_name +
           " lib-ver=" + client.library_version + " resp=" + std::to_string(client.resp) +
           " tot-cmds=" + std::to_string(client.commands) + "\n";
}

Result<> client_id(Call& call) {
    call.reply.integer(static_cast<std::int64_t>(call.client.id));
    return {};
}

Result<> client_info(Call& call) {
    call.reply.verbatim(describe(call.client, call.client.last_active_at));
    return {};
}

Result<> client_list(Call& call) {
    std::string lines;
    call.context.sessions.for_each(
        [&](const protocol::Client& client) { lines += describe(client, call.client.last_active_at); });
    call.reply.verbatim(lines);
    return {};
}

Result<> client_set_name(Call& call) {
    if (auto fits = check_client_name("the name", call.words[0]); !fits) return fits;
    call.client.name = call.words[0];
    call.reply.ok();
    return {};
}

Result<> client_get_name(Call& call) {
    if (call.client.name.empty())
        call.reply.null();
    else
        call.reply.text(call.client.name);
    return {};
}

Result<> client_set_info(Call& call) {
    const bool is_name = equal_ignoring_case(call.words[0], "LIB-NAME");
    if (!is_name && !equal_ignoring_case(call.words[0], "LIB-VER"))
        return failure(ErrorCode::err,
                       "CLIENT SETINFO takes lib-name or lib-ver, not " + core::quote(call.words[0]));
    if (auto fits = check_client_name(call.words[0], call.words[1]); !fits) return fits;
    (is_name ? call.client.library_name : call.client.library_version) = call.words[1];
    call.reply.ok();
    return {};
}

// KILL ID n, or KILL ip:port.
Result<std::uint64_t> parse_victim(const Call& call) {
    if (call.words.size() == 2 && equal_ignoring_case(call.words[0], "ID"))
        return parse_whole("ID", call.words[1], 1, std::uint64_t{1} << 53);
    if (call.words.size() == 1 && equal_ignoring_case(call.words[0], "ID"))
        return failure(ErrorCode::badarg, "ID takes a number, as CLIENT LIST shows it: CLIENT KILL ID 7");
    if (call.words.size() != 1)
        return failure(ErrorCode::err, "expected CLIENT KILL ID id, or CLIENT KILL address:port");
    std::uint64_t id = 0;
    call.context.sessions.for_each([&](const protocol::Client& client) {
        if (client.address == call.words[0]) id = client.id;
    });
    return id;
}

Result<> client_kill(Call& call) {
    const auto victim = parse_victim(call);
    if (!victim) return std::unexpected(victim.error());
    const bool by_id = call.words.size() == 2;
    const bool itself = *victim == call.client.id;
    const bool killed = itself || (*victim != 0 && call.context.sessions.kill(*victim));
    if (itself) call.after = After::close;
    if (!by_id && !killed)
        return failure(ErrorCode::err, "no client has the address " + core::quote(call.words[0]) +
                                           "; by number it is CLIENT KILL ID id");
    if (by_id)
        call.reply.integer(killed ? 1 : 0);
    else
        call.reply.ok();
    return {};
}

// Redis's memory eviction of clients does not exist here; libraries send it and want OK.
Result<> client_no_evict(Call& call) {
    if (!equal_ignoring_case(call.words[0], "ON") && !equal_ignoring_case(call.words[0], "OFF"))
        return failure(ErrorCode::err, "CLIENT NO-EVICT takes ON or OFF, not " + core::quote(call.words[0]));
    call.reply.ok();
    return {};
}

// ---- the table ----

constexpr std::array kName{Argument{.name = "name"}};
constexpr std::array kInfoFields{Argument{.name = "name", .token = "LIB-NAME"},
                                 Argument{.name = "version", .token = "LIB-VER"}};
constexpr std::array kSetInfo{Argument{.name = "what", .type = ArgumentType::one_of, .parts = kInfoFields}};
constexpr std::array kVictims{Argument{.name = "id", .type = ArgumentType::integer, .token = "ID"},
                              Argument{.name = "address:port"}};
constexpr std::array kKill{Argument{.name = "client", .type = ArgumentType::one_of, .parts = kVictims}};
constexpr std::array kOnOff{Argument{.name = "on", .type = ArgumentType::pure_token, .token = "ON"},
                            Argument{.name = "off", .type = ArgumentType::pure_token, .token = "OFF"}};
constexpr std::array kNoEvict{Argument{.name = "switch", .type = ArgumentType::one_of, .parts = kOnOff}};

constexpr std::array kClientCommands{
    Command{"CLIENT", "connection", -2, kHere, {}, "Looks at connections.", nullptr},
    Command{"CLIENT ID", "connection", 2, kHere, {}, "The number of this connection.", &client_id},
    Command{"CLIENT INFO", "connection", 2, kHere, {}, "One line about this connection.", &client_info},
    Command{"CLIENT LIST", "connection", 2, kHere, {}, "One line for each connection.", &client_list},
    Command{"CLIENT SETNAME", "connection", 3, kHere, kName, "Names this connection.", &client_set_name},
    Command{"CLIENT GETNAME", "connection", 2, kHere, {}, "The name of this connection.", &client_get_name},
    Command{"CLIENT SETINFO", "connection", 4, kHere, kSetInfo, "Notes the client library's name or version.",
            &client_set_info},
    Command{"CLIENT KILL", "connection", -3, Effect::controls, kKill, "Closes a connection.", &client_kill},
    Command{"CLIENT NO-EVICT", "connection", 3, kHere, kNoEvict,
            "Accepted for Redis clients; nothing is evicted.", &client_no_evict},
};

}  // namespace

std::span<const Command> client_commands() { return kClientCommands; }

}  // namespace evertick::commands
