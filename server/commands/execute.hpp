#pragma once
// One request from words to reply: strips @tag and JSON, resolves the command, runs it, writes the envelope.

#include <string>

#include "core/result.hpp"
#include "server/commands/command.hpp"
#include "server/commands/context.hpp"
#include "server/protocol/client.hpp"
#include "server/protocol/request_parser.hpp"

namespace evertick::commands {

struct Outcome {
    After after = After::proceed;
    bool failed = false;               // the reply is an error
    const Command* command = nullptr;  // nullptr when none was found
    std::size_t number = 0;            // its place in all_commands()
};

// Appends exactly one reply to out, or none when the outcome is wait.
Outcome execute(Context& context, protocol::Client& client, const protocol::Request& request,
                std::string& out);

// Runs one of EXEC's commands: its value, or its error, becomes one value of EXEC's reply.
void execute_part(Call& exec, std::span<const std::string_view> words);
// Answers the error in its place.
void write_part_error(Call& exec, core::ErrorCode code, std::string message);

// Appends an error that belongs to no command, in the client's encoding.
void write_error(core::Tick tick, const protocol::Client& client, const core::Error& error, std::string& out);

// Appends the late reply of a STEP or SPRINT: the tick number, or an error.
void write_tick_reached(const Waiter& waiter, const core::Result<core::Tick>& reached, core::Tick now,
                        std::string& out);

}  // namespace evertick::commands
