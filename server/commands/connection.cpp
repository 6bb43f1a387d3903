// PING ECHO QUIT RESET HELLO SELECT OUTPUT: this connection.

#include <array>
#include <utility>

#include "core/quote.hpp"
#include "server/commands/access.hpp"
#include "server/commands/arguments.hpp"
#include "server/commands/command.hpp"
#include "server/commands/monitor.hpp"
#include "server/commands/streams.hpp"
#include "server/commands/table.hpp"
#include "server/version.hpp"

namespace evertick::commands {
namespace {

using core::ErrorCode;
using core::failure;
using core::Result;

// Among pushes a reply has to look like one.
Result<> pong_as_push(Call& call) {
    call.reply.array(2);
    call.reply.text("pong");
    call.reply.text(call.words.empty() ? "" : call.words[0]);
    return {};
}

Result<> ping(Call& call) {
    if (call.client.only_listens()) return pong_as_push(call);
    if (call.words.empty())
        call.reply.status("PONG");
    else
        call.reply.text(call.words[0]);
    return {};
}

Result<> echo(Call& call) {
    call.reply.text(call.words[0]);
    return {};
}

Result<> quit(Call& call) {
    call.reply.ok();
    call.after = After::close;
    return {};
}

Result<> reset(Call& call) {
    call.context.streams.remove_all(call.client);
    call.context.monitors.remove(call.client);
    call.client.name.clear();
    call.client.role = call.context.access.first_role();
    call.client.resp = 2;
    call.client.json = false;
    call.client.transaction.reset();
    call.reply.status("RESET");
    return {};
}

Result<> select(Call& call) {
    if (call.words[0] != "0")
        return failure(ErrorCode::err,
                       "there is one world: SELECT takes 0, not " + core::quote(call.words[0]));
    call.reply.ok();
    return {};
}

Result<> output(Call& call) {
    const bool json = equal_ignoring_case(call.words[0], "JSON");
    if (!json && !equal_ignoring_case(call.words[0], "RESP"))
        return failure(ErrorCode::badarg, "OUTPUT takes json or resp, not " + core::quote(call.words[0]));
    call.client.json = json;
    call.reply.ok();
    return {};
}

// ---- HELLO ----

struct HelloOrder {
    std::uint8_t resp;
    bool named = false;
    std::string_view name;
    bool logs_in = false;
    std::string_view user, password;
};

Result<HelloOrder> parse_hello(const Call& call) {
    HelloOrder order{.resp = call.client.resp};
    auto words = call.words;
    if (!words.empty()) {
        if (words[0] != "2" && words[0] != "3")
            return failure(ErrorCode::noproto, "unsupported protocol version " + core::quote(words[0]) +
                                                   "; expected HELLO 2 or HELLO 3");
        order.resp = words[0] == "3" ? 3 : 2;
        words = words.subspan(1);
    }
    while (!words.empty()) {
        if (equal_ignoring_case(words[0], "AUTH")) {
            if (words.size() < 3)
                return failure(ErrorCode::badarg,
                               "AUTH takes a user and a password: HELLO 3 AUTH user password");
            order.logs_in = true;
            order.user = words[1];
            order.password = words[2];
            words = words.subspan(3);
            continue;
        }
        if (!equal_ignoring_case(words[0], "SETNAME"))
            return failure(ErrorCode::err, "HELLO does not know " + core::quote(words[0]) +
                                               "; expected HELLO [2|3] [AUTH user password] [SETNAME name]");
        if (words.size() < 2) return failure(ErrorCode::badarg, "SETNAME takes a name: HELLO 3 SETNAME name");
        if (auto fits = check_client_name("SETNAME", words[1]); !fits) return std::unexpected(fits.error());
        order.name = words[1];
        order.named = true;
        words = words.subspan(2);
    }
    return order;
}

void write_pair(protocol::ReplyWriter& reply, std::string_view key, std::string_view value) {
    reply.key(key);
    reply.text(value);
}

// Answers in the encoding it switches to, as clients expect; the map has the keys they read.
void welcome(protocol::Client& client, protocol::ReplyWriter& reply, std::uint8_t resp) {
    client.resp = resp;
    reply.use_resp(resp);
    reply.map(7);
    write_pair(reply, "server", "evertick");
    write_pair(reply, "version", kVersion);
    reply.key("proto");
    reply.integer(resp);
    reply.key("id");
    reply.integer(static_cast<std::int64_t>(client.id));
    write_pair(reply, "mode", "standalone");
    write_pair(reply, "role", "master");
    reply.key("modules");
    reply.array(0);
}

Result<> log_in_with_hello(Call& call, const HelloOrder& order) {
    auto name = order.named ? std::string(order.name) : call.client.name;
    return log_in(
        call, order.user, order.password,
        [resp = order.resp, name = std::move(name)](protocol::Client& client, protocol::ReplyWriter& reply) {
            client.name = name;
            welcome(client, reply, resp);
        });
}

Result<> hello(Call& call) {
    const auto order = parse_hello(call);
    if (!order) return std::unexpected(order.error());
    if (order->logs_in) return log_in_with_hello(call, *order);
    if (call.client.role == protocol::Role::nobody)
        return failure(ErrorCode::noauth,
                       "HELLO needs a login here: HELLO 3 AUTH default password, or AUTH before it");
    if (order->named) call.client.name = order->name;
    welcome(call.client, call.reply, order->resp);
    return {};
}

// ---- the table ----

constexpr std::array kMessage{Argument{.name = "message", .optional = true}};
constexpr std::array kEcho{Argument{.name = "message"}};
constexpr std::array kSelect{Argument{.name = "0", .type = ArgumentType::integer}};
constexpr std::array kFormats{Argument{.name = "resp", .type = ArgumentType::pure_token, .token = "resp"},
                              Argument{.name = "json", .type = ArgumentType::pure_token, .token = "json"}};
constexpr std::array kOutput{Argument{.name = "format", .type = ArgumentType::one_of, .parts = kFormats}};
constexpr std::array kVersions{Argument{.name = "2", .type = ArgumentType::pure_token, .token = "2"},
                               Argument{.name = "3", .type = ArgumentType::pure_token, .token = "3"}};
constexpr std::array kLogin{Argument{.name = "username"}, Argument{.name = "password"}};
constexpr std::array kHello{
    Argument{.name = "version", .type = ArgumentType::one_of, .optional = true, .parts = kVersions},
    Argument{.name = "auth", .type = ArgumentType::block, .token = "AUTH", .optional = true, .parts = kLogin},
    Argument{.name = "name", .token = "SETNAME", .optional = true}};

constexpr std::array kConnectionCommands{
    Command{"PING", "connection", -1, kHere, kMessage, "Answers PONG, or the message.", &ping},
    Command{"ECHO", "connection", 2, kHere, kEcho, "Answers the message, byte for byte.", &echo},
    Command{"QUIT",
            "connection",
            -1,
            kHere,
            {},
            "Answers OK and closes; what follows is ignored.",
            &quit,
            {},
            Queueing::runs_at_once},
    Command{"RESET",
            "connection",
            1,
            kHere,
            {},
            "Makes the connection as new: RESP2, no name, no MULTI.",
            &reset,
            {},
            Queueing::runs_at_once},
    Command{"HELLO",
            "connection",
            -1,
            kHere,
            kHello,
            "Chooses RESP2 or RESP3 and says who answers.",
            &hello,
            {},
            Queueing::refused},
    Command{"SELECT", "connection", 2, kHere, kSelect, "Accepts 0, for clients that send it.", &select},
    Command{"OUTPUT",
            "connection",
            2,
            kHere,
            kOutput,
            "Chooses JSON lines or RESP for the replies.",
            &output,
            {},
            Queueing::refused},
};

}  // namespace

std::span<const Command> connection_commands() { return kConnectionCommands; }

}  // namespace evertick::commands
