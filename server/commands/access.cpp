// AUTH, and what a client may do before and after it.

#include "server/commands/access.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/quote.hpp"
#include "server/protocol/reply_writers.hpp"

namespace evertick::commands {
namespace {

using core::ErrorCode;
using core::failure;
using core::Result;
using protocol::Role;

constexpr std::array<std::string_view, 4> kBeforeLogin{"AUTH", "HELLO", "QUIT", "RESET"};

bool needs_login(const Command* command) {
    return command == nullptr || std::ranges::find(kBeforeLogin, command->name) == kBeforeLogin.end();
}

bool only_looks(const Command& command) {
    return command.effect == Effect::reads || command.effect == Effect::connection;
}

// As Redis: RESP2 has nothing to tell a reply from a push by.
constexpr std::array<std::string_view, 9> kWhileListening{"SUBSCRIBE",    "PSUBSCRIBE", "UNSUBSCRIBE",
                                                          "PUNSUBSCRIBE", "EVENTS ON",  "EVENTS OFF",
                                                          "PING",         "QUIT",       "RESET"};

Result<> check_listener(const protocol::Client& client, const Command& command) {
    if (!client.only_listens() || std::ranges::find(kWhileListening, command.name) != kWhileListening.end())
        return {};
    return failure(ErrorCode::err, core::quote(command.name) +
                                       " has to wait until UNSUBSCRIBE or EVENTS OFF; with HELLO 3 before "
                                       "SUBSCRIBE it would not");
}

Result<> auth(Call& call) {
    const bool named = call.words.size() > 1;
    return log_in(call, named ? call.words[0] : protocol::name(Role::full), call.words.back(),
                  [](protocol::Client&, protocol::ReplyWriter& reply) { reply.ok(); });
}

constexpr std::array kCredentials{Argument{.name = "username", .optional = true},
                                  Argument{.name = "password"}};

constexpr std::array kAccessCommands{
    Command{"AUTH",
            "connection",
            -2,
            Effect::connection,
            kCredentials,
            "Logs in, as the user default or readonly.",
            &auth,
            {},
            Queueing::refused},
};

}  // namespace

Result<> check_permission(const protocol::Client& client, const Command* command) {
    if (client.role == Role::nobody && needs_login(command))
        return failure(ErrorCode::noauth, "Authentication required: AUTH password, or AUTH user password");
    if (client.role != Role::readonly || command == nullptr || only_looks(*command)) return {};
    return failure(ErrorCode::noperm,
                   "user 'readonly' may look and not change: it may not run " + core::quote(command->name));
}

Result<Resolved> resolve_for(const protocol::Client& client, std::span<const std::string_view> words) {
    if (client.role == Role::full && client.subscriptions == 0) return resolve(words);
    if (client.role == Role::nobody)
        if (auto allowed = check_permission(client, find_command(words[0])); !allowed)
            return std::unexpected(allowed.error());
    auto resolved = resolve(words);
    if (!resolved) return resolved;
    auto allowed = check_permission(client, resolved->command);
    if (allowed) allowed = check_listener(client, *resolved->command);
    if (!allowed) return std::unexpected(allowed.error());
    return resolved;
}

bool takes_password(const Command& command) { return command.name == "AUTH" || command.name == "HELLO"; }

Result<> log_in(Call& call, std::string_view user, std::string_view password, WriteWelcome write) {
    Access& access = call.context.access;
    if (!access.asks()) return failure(ErrorCode::err, "this server has no password: leave out AUTH");
    // The call is over when the verdict comes: what is needed of it is copied.
    auto answer = [&world = call.context.world, encoding = call.encoding, tag = std::string(call.tag),
                   write = std::move(write)](protocol::Client& client, const Result<Role>& verdict,
                                             std::string& out) {
        protocol::ReplyWriters writers(out);
        protocol::ReplyWriter& reply = writers.get(encoding);
        reply.begin(world.tick, tag);
        if (verdict) {
            client.role = *verdict;
            write(client, reply);
        } else {
            reply.fail(verdict.error());
        }
        reply.end();
    };
    if (auto begun = access.log_in(call.client, user, password, std::move(answer)); !begun) return begun;
    call.after = After::wait;
    return {};
}

std::span<const Command> access_commands() { return kAccessCommands; }

}  // namespace evertick::commands
