// MULTI EXEC DISCARD, and WATCH, which is not needed: nothing else runs within an EXEC.

#include <array>
#include <memory>
#include <utility>

#include "server/commands/command.hpp"
#include "server/commands/execute.hpp"

namespace evertick::commands {
namespace {

using core::ErrorCode;
using core::failure;
using core::Result;

// An EXEC is one piece of work: nobody else is served and no tick starts before its end.
constexpr double kMaxExecSeconds = 0.25;
constexpr std::size_t kMaxExecReplyBytes = std::size_t{16} << 20;

Result<> multi(Call& call) {
    if (call.client.transaction != nullptr)
        return failure(ErrorCode::err, "MULTI calls can not be nested: EXEC or DISCARD comes first");
    call.client.transaction = std::make_unique<protocol::Transaction>();
    call.reply.ok();
    return {};
}

Result<> discard(Call& call) {
    if (std::exchange(call.client.transaction, nullptr) == nullptr)
        return failure(ErrorCode::err, "DISCARD without MULTI");
    call.reply.ok();
    return {};
}

Result<> exec(Call& call) {
    const auto transaction = std::exchange(call.client.transaction, nullptr);
    if (transaction == nullptr) return failure(ErrorCode::err, "EXEC without MULTI");
    if (transaction->is_spoilt())
        return failure(ErrorCode::execabort,
                       "the transaction was discarded, because a command of it was refused when it was sent");
    const double end = call.context.process.uptime_seconds() + kMaxExecSeconds;
    call.reply.array(transaction->size());
    transaction->for_each([&](std::span<const std::string_view> words) {
        if (call.context.process.uptime_seconds() > end)
            write_part_error(call, ErrorCode::limit, "not run: this EXEC has worked for 0.25 s already");
        else if (call.reply.size_bytes() > kMaxExecReplyBytes)
            write_part_error(call, ErrorCode::limit, "not run: this EXEC has answered 16 MiB already");
        else
            execute_part(call, words);
    });
    return {};
}

Result<> watch(Call&) {
    return failure(
        ErrorCode::err,
        "not supported: WATCH; what is between MULTI and EXEC runs as one, so GET and decide there");
}

Result<> unwatch(Call& call) {
    call.reply.ok();
    return {};
}

constexpr std::array kWatched{Argument{.name = "id", .multiple = true}};

constexpr auto kNow = Queueing::runs_at_once;
constexpr std::array kTransactionCommands{
    Command{"MULTI",
            "transactions",
            1,
            kHere,
            {},
            "Collects the commands that follow, until EXEC.",
            &multi,
            {},
            kNow},
    Command{"EXEC",
            "transactions",
            1,
            kHere,
            {},
            "Runs them between the same two ticks; answers their replies.",
            &exec,
            {},
            kNow},
    Command{"DISCARD", "transactions", 1, kHere, {}, "Forgets them.", &discard, {}, kNow},
    Command{"WATCH",
            "transactions",
            -2,
            kHere,
            kWatched,
            "Refused: nothing changes within an EXEC.",
            &watch,
            {},
            kNow},
    Command{"UNWATCH", "transactions", 1, kHere, {}, "Answers OK: nothing is watched.", &unwatch, {}, kNow},
};

}  // namespace

std::span<const Command> transaction_commands() { return kTransactionCommands; }

}  // namespace evertick::commands
