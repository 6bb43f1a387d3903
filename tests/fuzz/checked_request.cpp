// One request of a client of the harmless server, and what has to hold of its reply.

#include <algorithm>
#include <initializer_list>

#include "core/verify.hpp"
#include "server/commands/command.hpp"
#include "tests/fuzz/asked.hpp"
#include "tests/fuzz/harmless_server.hpp"
#include "tests/fuzz/reply_check.hpp"

namespace evertick::fuzz {
namespace {

using commands::Command;
using core::verify;
using protocol::Encoding;
using protocol::Role;

bool is_of(const Command* command, std::initializer_list<std::string_view> names) {
    return command != nullptr && std::ranges::find(names, command->name) != names.end();
}

bool only_looks(const Command* command) {
    return command == nullptr || command->effect == commands::Effect::reads ||
           (command->effect == commands::Effect::connection && !is_of(command, {"EXEC"}));
}

void check_input(Role role, std::span<const std::string_view> words, std::size_t unsent_bytes,
                 const net::Options& options) {
    verify(unsent_bytes < options.output_soft_bytes, "nothing runs for who leaves much unread");
    if (role != Role::nobody) return;
    verify(unsent_bytes < net::kOutputBytesBeforeLogin, "nor a little, before the login");
    const protocol::RequestLimits& limits = options.request_before_login;
    verify(words.size() <= limits.max_arguments, "few words before the login");
    for (const std::string_view word : words)
        verify(word.size() <= limits.max_bulk_bytes, "short words before the login");
}

void check_reply(const Command* command, std::string_view reply, Encoding encoding, bool waits) {
    if (waits) return verify(reply.empty(), "what waits has not answered");
    const bool for_each_name = is_of(command, {"SUBSCRIBE", "PSUBSCRIBE", "UNSUBSCRIBE", "PUNSUBSCRIBE"});
    const std::size_t replies = check_values(reply, encoding);
    verify(replies == 1 || (for_each_name && replies > 1), "a command is answered once");
    const bool exec = is_of(command, {"EXEC"});
    verify(reply.size() <= (exec ? HarmlessServer::kMaxExecBytes : HarmlessServer::kMaxReplyBytes),
           "a reply is bounded");
}

}  // namespace

net::Next HarmlessServer::request(protocol::Client& client, const protocol::Request& request,
                                  std::string& out) {
    Peer& peer = peers_.at(client.id);
    const Role role = client.role;
    const Asked asked = read_asked(request.words);
    const bool queues = client.transaction != nullptr && !is_of(asked.command, {"EXEC"});
    check_input(role, request.words, peer.exchange.unsent().size(), options_);
    const std::size_t before = digest();
    Encoding encoding = asked.json ? Encoding::json : client.encoding();
    const std::size_t start = out.size();

    pushed_bytes_ = 0;
    const net::Next next = dispatcher_.request(client, request, out);
    verify(++requests_ == traffic_.commands, "every command is counted");

    if (is_of(asked.command, {"HELLO"}) && encoding != Encoding::json) encoding = client.encoding();
    const std::string_view reply = std::string_view(out).substr(start, out.size() - start - pushed_bytes_);
    const bool waits = next == net::Next::wait;
    check_reply(asked.command, reply, encoding, waits);
    const bool fails = !waits && is_error(reply, encoding);
    const bool harmless = queues || only_looks(asked.command) || fails;
    digest_.reset();
    verify((!harmless && role == Role::full) || waits || digest() == before,
           "what fails or only looks changes nothing");
    verify(role != Role::nobody || waits || fails || is_of(asked.command, {"AUTH", "HELLO", "QUIT", "RESET"}),
           "nothing is told before the login");
    peer.awaited = encoding;
    return next;
}

void HarmlessServer::protocol_error(protocol::Client& client, const core::Error& error, std::string& out) {
    const std::size_t start = out.size();
    dispatcher_.protocol_error(client, error, out);
    const std::string_view reply = std::string_view(out).substr(start);
    verify(check_values(reply, client.encoding()) == 1, "a malformed request is told once");
    verify(is_error(reply, client.encoding()), "as an error");
}

}  // namespace evertick::fuzz
