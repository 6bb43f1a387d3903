#include "server/commands/execute.hpp"

#include <new>

#include "core/mem_stack.hpp"
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

core::Result<> run(Context& context, protocol::Client& client, std::span<const std::string_view> words,
                   Call& call, Outcome& outcome) {
    if (words.empty())
        return core::failure(core::ErrorCode::err, "expected a command after JSON or @tag, try HELP");
    const auto resolved = resolve_for(client, words);
    if (!resolved) return std::unexpected(resolved.error());
    outcome.command = resolved->command;
    ++client.commands;
    client.last_command = resolved->wire_name;
    call.words = words.subspan(resolved->name_words);
    const core::MemMark mark(context.scratch);
    core::Result<> done;
    try {
        done = resolved->command->handler(call);
    } catch (const std::bad_alloc&) {
        done = core::failure(core::ErrorCode::oom, "there is no memory for this command");
    }
    outcome.after = call.after;
    return done;
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
    reply.begin(context.world.tick, prefix.tag);
    const auto done = run(context, client, request.words.subspan(prefix.words), call, outcome);
    if (!done) {
        outcome.failed = true;
        outcome.after = After::proceed;
        reply.fail(done.error());
    }
    if (outcome.after == After::wait)
        out.resize(start);
    else
        reply.end();
    return outcome;
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
