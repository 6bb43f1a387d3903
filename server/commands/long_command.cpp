#include "server/commands/long_command.hpp"

#include <new>
#include <utility>

#include "core/verify.hpp"

namespace evertick::commands {
namespace {

core::Result<bool> work_on(LongCommand& command) {
    try {
        return command.work();
    } catch (const std::bad_alloc&) {
        return core::failure(core::ErrorCode::oom, "there is no memory for this command");
    }
}

}  // namespace

void LongCommands::add(std::unique_ptr<LongCommand> command, Waiter waiter) {
    queue_.push_back({std::move(command), std::move(waiter), nullptr});
}

// Does one piece. Returns whether the reply is complete.
bool LongCommands::advance(Pending& pending, core::Tick now) {
    if (pending.answer == nullptr) {
        const auto done = work_on(*pending.command);
        if (done && !*done) return false;
        pending.answer = std::make_unique<Answer>(pending.waiter.encoding);
        pending.answer->reply.begin(now, pending.waiter.tag);
        if (!done) pending.answer->reply.fail(done.error());
        if (!done) return true;
    }
    return pending.command->answer(pending.answer->reply);
}

std::optional<LongCommands::Done> LongCommands::work(core::Tick now) {
    core::verify(!queue_.empty(), "LongCommands::work: there is nothing to do");
    Pending& oldest = queue_.front();
    if (!advance(oldest, now)) return std::nullopt;
    oldest.answer->reply.end();
    Done done{oldest.waiter.client_id, std::move(oldest.answer->out)};
    queue_.pop_front();
    return done;
}

core::Result<> run_in_pieces(Call& call, std::unique_ptr<LongCommand> command, std::size_t entities) {
    if (call.within_exec && entities > kWorkPerPiece)
        return core::failure(core::ErrorCode::limit,
                             "between MULTI and EXEC a command makes, or looks at, at most " +
                                 std::to_string(kWorkPerPiece) + " entities; by itself it takes more");
    auto done = command->work();
    while (call.within_exec && done && !*done) done = command->work();
    if (!done) return std::unexpected(std::move(done.error()));
    if (*done) {
        while (!command->answer(call.reply)) continue;
        return {};
    }
    call.context.long_commands.add(std::move(command),
                                   {call.client.id, call.encoding, std::string(call.tag)});
    call.after = After::wait;
    return {};
}

}  // namespace evertick::commands
