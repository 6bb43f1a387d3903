#include "server/commands/execute.hpp"

#include <new>
#include <utility>

#include "core/mem_stack.hpp"
#include "core/verify.hpp"
#include "server/commands/access.hpp"
#include "server/commands/table.hpp"
#include "server/protocol/reply_writers.hpp"

namespace evertick::commands {
namespace {

// What stands before the command's name.
struct Prefix {
    std::string_view tag;  // of "@tag", without the @
    bool json = false;     // "JSON" for this one reply
    std::size_t words = 0;
};

Prefix read_prefix(std::span<const std::string_view> words) {
    Prefix prefix;
    for (const std::string_view word : words) {
        const bool tag = word.size() > 1 && word.front() == '@' && prefix.tag.empty();
        const bool json = !prefix.json && equal_ignoring_case(word, "JSON");
        if (!tag && !json) break;
        if (tag) prefix.tag = word.substr(1);
        prefix.json |= json;
        ++prefix.words;
    }
    return prefix;
}

// Keeps the request for EXEC.
core::Result<> enqueue(Call& call, const Command& command, std::span<const std::string_view> words) {
    using protocol::Transaction;
    Transaction& transaction = *call.client.transaction;
    if (command.queueing == Queueing::refused)
        return core::failure(
            core::ErrorCode::err,
            std::string(command.name) + " is not allowed between MULTI and EXEC: send it before or after");
    if (!transaction.add(words))
        return core::failure(core::ErrorCode::limit,
                             "MULTI collects at most " + std::to_string(Transaction::kMaxRequests) +
                                 " commands and " + std::to_string(Transaction::kMaxBytes) + " bytes");
    call.reply.status("QUEUED");
    return {};
}

core::Result<> run_now(Call& call, const Resolved& resolved, std::span<const std::string_view> words) {
    ++call.client.commands;
    call.client.last_command = resolved.wire_name;
    call.words = words.subspan(resolved.name_words);
    const core::MemMark mark(call.context.scratch);
    try {
        return resolved.command->handler(call);
    } catch (const std::bad_alloc&) {
        return std::unexpected(out_of_memory());
    }
}

// Runs what the words ask for, or keeps it for EXEC.
core::Result<> run(Call& call, std::span<const std::string_view> words, Outcome& outcome) {
    if (words.empty()) {
        if (auto allowed = check_permission(call.client, nullptr); !allowed) return allowed;
        return core::failure(core::ErrorCode::err, "expected a command after JSON or @tag, try HELP");
    }
    const auto resolved = resolve_for(call.client, words);
    if (!resolved) return std::unexpected(resolved.error());
    outcome.command = resolved->command;
    outcome.number = resolved->number;
    const bool queues =
        call.client.transaction != nullptr && resolved->command->queueing != Queueing::runs_at_once;
    return queues ? enqueue(call, *resolved->command, words) : run_now(call, *resolved, words);
}

}  // namespace

Outcome execute(Context& context, protocol::Client& client, const protocol::Request& request,
                std::string& out) {
    const Prefix prefix = read_prefix(request.words);
    const auto encoding = prefix.json ? protocol::Encoding::json : client.encoding();
    protocol::ReplyWriters writers(out);
    protocol::ReplyWriter& reply = writers.get(encoding);
    Call call{context, client, {}, reply, encoding, prefix.tag};
    Outcome outcome;

    const std::size_t start = out.size();
    out.reserve(start + kSureReplyBytes);
    reply.begin(context.world.tick, prefix.tag);
    const auto done = run(call, request.words.subspan(prefix.words), outcome);
    outcome.after = call.after;
    if (!done) {
        outcome.failed = true;
        outcome.after = After::proceed;
        reply.fail(done.error());
        const bool was_for_exec =
            outcome.command == nullptr || outcome.command->queueing != Queueing::runs_at_once;
        if (client.transaction != nullptr && was_for_exec) client.transaction->spoil();
    }
    if (outcome.after == After::wait)
        out.resize(start);
    else
        reply.end();
    return outcome;
}

void execute_part(Call& exec, std::span<const std::string_view> words) try {
    Call call{exec.context, exec.client, {}, exec.reply, exec.encoding, exec.tag};
    call.within_exec = true;
    exec.reply.begin_part();
    const auto resolved = resolve(words);
    core::verify(resolved.has_value(), "what was queued can be run");
    const auto done = run_now(call, *resolved, words);
    core::verify(call.after != After::wait, "nothing that waits runs within EXEC");
    if (!done)
        exec.reply.fail(done.error());
    else if (call.after == After::close)
        exec.after = After::close;
    exec.reply.end_part();
} catch (const std::bad_alloc&) {
    exec.reply.cancel_part();
    throw;
}

void write_part_error(Call& exec, core::ErrorCode code, std::string message) {
    exec.reply.begin_part();
    exec.reply.fail({code, std::move(message)});
    exec.reply.end_part();
}

void write_error(core::Tick tick, const protocol::Client& client, const core::Error& error,
                 std::string& out) {
    protocol::ReplyWriters writers(out);
    protocol::ReplyWriter& reply = writers.get(client.encoding());
    reply.begin(tick, {});
    reply.fail(error);
    reply.end();
}

void write_tick_reached(const Waiter& waiter, const core::Result<core::Tick>& reached, core::Tick now,
                        std::string& out) {
    protocol::ReplyWriters writers(out);
    protocol::ReplyWriter& reply = writers.get(waiter.encoding);
    reply.begin(now, waiter.tag);
    if (reached)
        reply.integer(static_cast<std::int64_t>(*reached));
    else
        reply.fail(reached.error());
    reply.end();
}

}  // namespace evertick::commands
