#include "server/dispatcher.hpp"

#include <utility>

#include "server/commands/access.hpp"
#include "server/commands/command_times.hpp"
#include "server/commands/execute.hpp"
#include "server/commands/long_command.hpp"
#include "server/commands/monitor.hpp"
#include "server/commands/slow_log.hpp"
#include "server/commands/streams.hpp"

namespace evertick::server {
namespace {

net::Next next(commands::After after) {
    switch (after) {
        case commands::After::proceed: return net::Next::proceed;
        case commands::After::wait: return net::Next::wait;
        case commands::After::close: return net::Next::close;
    }
    std::unreachable();
}

}  // namespace

void Dispatcher::connected(protocol::Client& client) {
    ++traffic_.connections;
    client.role = context_.access.first_role();
}

void Dispatcher::disconnected(protocol::Client& client) {
    context_.streams.remove_all(client);
    context_.monitors.remove(client);
    context_.clock.abandon(client.id);
}

net::Next Dispatcher::request(protocol::Client& client, const protocol::Request& request, std::string& out) {
    const bool rested = loop_may_rest();
    const commands::Outcome outcome = commands::execute(context_, client, request, out);
    if (rested && !loop_may_rest()) left_work_();
    if (context_.monitors.any()) context_.monitors.show(client, request.words, outcome.command);
    ++traffic_.commands;
    traffic_.errors += outcome.failed ? 1U : 0U;
    command_ = outcome.command;
    number_ = outcome.number;
    words_ = request.words;
    return next(outcome.after);
}

// Nothing to do piece by piece, and nobody to publish to.
bool Dispatcher::loop_may_rest() const { return context_.long_commands.empty() && context_.streams.empty(); }

void Dispatcher::took(protocol::Client& client, std::chrono::steady_clock::duration spent) {
    if (command_ == nullptr) return;
    context_.command_times.add(number_, spent);
    if (!context_.slow_log.is_slow(spent)) return;
    const auto shown = commands::takes_password(*command_) ? words_.first(1) : words_;
    context_.slow_log.add(shown, client, spent, std::chrono::system_clock::now());
}

void Dispatcher::protocol_error(protocol::Client& client, const core::Error& error, std::string& out) {
    ++traffic_.errors;
    commands::write_error(context_.world.tick, client, error, out);
}

}  // namespace evertick::server
