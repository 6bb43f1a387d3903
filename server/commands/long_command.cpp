#include "server/commands/long_command.hpp"

#include <new>
#include <utility>

#include "core/verify.hpp"

namespace evertick::commands {
namespace {

core::Result<> finish(LongRun& run, protocol::ReplyWriter& reply) {
    while (!run.has_worked()) run.work();
    while (!run.conclude(reply)) continue;
    if (run.failure) return std::unexpected(std::move(*run.failure));
    return {};
}

}  // namespace

// Room for a short reply, in JSON with the tag, in which any byte may become six.
LongCommands::Pending::Pending(Waiter for_whom)
    : waiter(std::move(for_whom)), reply(writers.get(waiter.encoding)) {
    out.reserve(kSureReplyBytes + 6 * waiter.tag.size());
}

bool LongRun::work() {
    try {
        auto done = command->work();
        if (done)
            worked = *done;
        else
            failure = std::move(done.error());
    } catch (const std::bad_alloc&) {
        failure = out_of_memory();
    }
    return has_worked();
}

bool LongRun::conclude(protocol::ReplyWriter& reply) {
    if (failure) return command->undo();
    try {
        return command->answer(reply);
    } catch (const std::bad_alloc&) {
        failure = out_of_memory();
        return false;
    }
}

void LongCommands::add(LongRun& run, Waiter waiter) {
    queue_.emplace_back(std::move(waiter)).run = std::move(run);
}

std::optional<LongCommands::Done> LongCommands::work(core::Tick now) {
    core::verify(!queue_.empty(), "LongCommands::work: there is nothing to do");
    Pending& oldest = queue_.front();
    LongRun& run = oldest.run;
    if (!run.has_worked() && !run.work()) return std::nullopt;
    if (!std::exchange(oldest.replies, true)) oldest.reply.begin(now, oldest.waiter.tag);
    if (!run.conclude(oldest.reply)) return std::nullopt;
    if (run.failure) oldest.reply.fail(*run.failure);
    oldest.reply.end();
    Done done{oldest.waiter.client_id, std::move(oldest.out)};
    queue_.pop_front();
    return done;
}

core::Result<> run_in_pieces(Call& call, std::unique_ptr<LongCommand> command, std::size_t entities) {
    if (call.within_exec && entities > kWorkPerPiece)
        return core::failure(core::ErrorCode::limit,
                             "between MULTI and EXEC a command makes, or looks at, at most " +
                                 std::to_string(kWorkPerPiece) + " entities; by itself it takes more");
    LongRun run{.command = std::move(command), .worked = false, .failure = {}};
    if (run.work() || call.within_exec) return finish(run, call.reply);
    try {
        call.context.long_commands.add(run, {call.client.id, call.encoding, std::string(call.tag)});
    } catch (const std::bad_alloc&) {
        return finish(run, call.reply);  // ticks come late, but what has begun to destroy cannot go back
    }
    call.after = After::wait;
    return {};
}

}  // namespace evertick::commands
