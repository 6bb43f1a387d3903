#pragma once
// One command as data. The table feeds everything that knows commands: dispatch, arity errors, HELP,
// COMMAND DOCS, the suggestion after a typing mistake, completion in clients.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "server/commands/context.hpp"
#include "server/protocol/reply_writer.hpp"

namespace evertick::commands {

enum class ArgumentType : std::uint8_t { text, integer, number, pure_token, one_of, block };

struct Argument {
    std::string_view name;
    ArgumentType type = ArgumentType::text;
    std::string_view token;  // the word that introduces it: LIMIT n
    bool optional = false;
    bool multiple = false;
    std::span<const Argument> parts;  // of a block or one_of
};

// What becomes of the connection after a command.
enum class After : std::uint8_t { proceed, wait, close };

// One execution. words are the arguments after the command's name.
struct Call {
    Context& context;
    protocol::Client& client;
    std::span<const std::string_view> words;
    protocol::ReplyWriter& reply;
    protocol::Encoding encoding;  // of this reply: the JSON prefix may differ from the client's
    std::string_view tag;
    After after = After::proceed;
    bool within_exec = false;  // one of EXEC's commands: it may not wait
};

// Checks every argument before its first effect; then writes exactly one value, or returns an error (what it
// has written by then is taken back), or sets after = wait and writes nothing. What it changes it changes as
// a whole: std::bad_alloc may end it until then, and is answered with out_of_memory().
using Handler = core::Result<> (*)(Call&);

// A reply that is no longer than this always finds room: an error, a number, OK. Longer ones may end in
// std::bad_alloc, and whoever has changed the world by then undoes it.
inline constexpr std::size_t kSureReplyBytes = 512;

// Short enough to need no memory itself.
inline core::Error out_of_memory() { return {core::ErrorCode::oom, "out of memory"}; }

enum class Effect : std::uint8_t {
    reads,       // looks at the world
    writes,      // changes the world
    controls,    // time, process, settings
    connection,  // this connection only
};

inline constexpr auto kHere = Effect::connection;  // short, for the tables
inline constexpr auto kReads = Effect::reads;

// Between MULTI and EXEC.
enum class Queueing : std::uint8_t {
    queued,
    runs_at_once,
    refused,  // it answers later, or changes what replies look like
};

struct Command {
    std::string_view name;  // "SPAWN", or "TICK STEP" for a subcommand; upper case
    std::string_view group;
    std::int8_t arity;  // words with the name: n exactly, -n at least n; `arguments` say how many at most
    Effect effect;
    std::span<const Argument> arguments;
    std::string_view summary;
    Handler handler;            // nullptr for a name that only has subcommands
    std::string_view examples;  // lines that work as they stand, for HELP
    Queueing queueing = Queueing::queued;
};

// The groups, one file each.
std::span<const Command> spawn_commands();
std::span<const Command> destroy_commands();
std::span<const Command> entity_commands();
std::span<const Command> hash_commands();
std::span<const Command> keyspace_commands();
std::span<const Command> query_commands();
std::span<const Command> quarantine_commands();
std::span<const Command> state_hash_commands();
std::span<const Command> time_commands();
std::span<const Command> access_commands();
std::span<const Command> event_commands();
std::span<const Command> monitor_commands();
std::span<const Command> info_commands();
std::span<const Command> config_commands();
std::span<const Command> operation_commands();
std::span<const Command> diagnosis_commands();
std::span<const Command> memory_commands();
std::span<const Command> connection_commands();
std::span<const Command> client_commands();
std::span<const Command> transaction_commands();
std::span<const Command> help_commands();
std::span<const Command> introspection_commands();

}  // namespace evertick::commands
