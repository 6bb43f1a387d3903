// SHUTDOWN SAVE BGSAVE LASTSAVE SEED: the life of the server and its world.

#include <array>

#include "core/quote.hpp"
#include "server/commands/command.hpp"
#include "server/commands/table.hpp"

namespace evertick::commands {
namespace {

using core::ErrorCode;
using core::failure;
using core::Result;

Result<> shutdown(Call& call) {
    if (!call.words.empty() && equal_ignoring_case(call.words[0], "SAVE"))
        return failure(ErrorCode::err, "this server keeps nothing on disk yet: use SHUTDOWN NOSAVE");
    if (!call.words.empty() && !equal_ignoring_case(call.words[0], "NOSAVE"))
        return failure(ErrorCode::badarg, "SHUTDOWN takes NOSAVE, not " + core::quote(call.words[0]));
    call.context.process.shut_down();
    call.reply.ok();
    call.after = After::close;
    return {};
}

Result<> save(Call&) {
    return failure(ErrorCode::err, "this server keeps nothing on disk yet: its world ends with it");
}

Result<> seed(Call& call) {
    call.reply.value(core::FieldValue{call.context.world.seed});
    return {};
}

// ---- the table ----

constexpr std::array kNoSave{
    Argument{.name = "nosave", .type = ArgumentType::pure_token, .token = "NOSAVE", .optional = true}};

constexpr std::array kSchedule{
    Argument{.name = "schedule", .type = ArgumentType::pure_token, .token = "SCHEDULE", .optional = true}};

constexpr auto kControls = Effect::controls;
constexpr std::array kOperationCommands{
    Command{"SHUTDOWN", "server", -1, kControls, kNoSave, "Ends the server; every reply is sent first.",
            &shutdown},
    Command{"SAVE", "server", 1, kControls, {}, "Refused: nothing is kept on disk yet.", &save},
    Command{"BGSAVE", "server", -1, kControls, kSchedule, "Refused: nothing is kept on disk yet.", &save},
    Command{"LASTSAVE", "server", 1, Effect::reads, {}, "Refused: nothing is kept on disk yet.", &save},
    Command{"SEED", "server", 1, Effect::reads, {}, "What the world's random numbers started from.", &seed},
};

}  // namespace

std::span<const Command> operation_commands() { return kOperationCommands; }

}  // namespace evertick::commands
