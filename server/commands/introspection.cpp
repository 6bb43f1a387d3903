// COMMAND: the table of commands for programs, as Redis describes its own.

#include <array>

#include "server/commands/arguments.hpp"
#include "server/commands/command.hpp"
#include "server/commands/table.hpp"

namespace evertick::commands {
namespace {

using core::Result;

std::size_t command_count() {
    std::size_t count = 0;
    for (const Command* command : all_commands()) count += is_subcommand(*command) ? 0U : 1U;
    return count;
}

std::string_view flag(Effect effect) {
    return effect == Effect::writes ? "write" : effect == Effect::reads ? "readonly" : "admin";
}

// As Redis's COMMAND INFO: name, arity, flags, then keys (none), categories, tips, key specs, subcommands.
void write_info(protocol::ReplyWriter& reply, const Command& command) {
    const auto children = subcommands(command);
    reply.array(10);
    reply.text(wire_name(command));
    reply.integer(command.arity);
    reply.array(1);
    reply.status(flag(command.effect));
    for (int position = 0; position < 3; ++position) reply.integer(0);
    for (int list = 0; list < 3; ++list) reply.array(0);
    reply.array(children.size());
    for (const Command* child : children) write_info(reply, *child);
}

std::string_view name(ArgumentType type) {
    constexpr std::array<std::string_view, 6> kNames{"string",     "integer", "double",
                                                     "pure-token", "oneof",   "block"};
    return kNames.at(static_cast<std::size_t>(type));
}

void write_argument(protocol::ReplyWriter& reply, const Argument& argument) {
    const std::size_t flags = (argument.optional ? 1U : 0U) + (argument.multiple ? 1U : 0U);
    reply.map(3 + (argument.token.empty() ? 0U : 1U) + (flags > 0 ? 1U : 0U) +
              (argument.parts.empty() ? 0U : 1U));
    const auto pair = [&](std::string_view key, std::string_view value) {
        reply.key(key);
        reply.text(value);
    };
    pair("name", argument.name);
    pair("type", name(argument.type));
    pair("display_text", argument.name);
    if (!argument.token.empty()) pair("token", argument.token);
    if (flags > 0) {
        reply.key("flags");
        reply.array(flags);
        if (argument.optional) reply.status("optional");
        if (argument.multiple) reply.status("multiple");
    }
    if (argument.parts.empty()) return;
    reply.key("arguments");
    reply.array(argument.parts.size());
    for (const Argument& part : argument.parts) write_argument(reply, part);
}

void write_docs(protocol::ReplyWriter& reply, const Command& command) {
    const auto children = subcommands(command);
    reply.map(3 + (command.arguments.empty() ? 0U : 1U) + (children.empty() ? 0U : 1U));
    reply.key("summary");
    reply.text(command.summary);
    reply.key("since");
    reply.text("0.1.0");
    reply.key("group");  // redis-cli crashes without it
    reply.text(command.group);
    if (!command.arguments.empty()) {
        reply.key("arguments");
        reply.array(command.arguments.size());
        for (const Argument& argument : command.arguments) write_argument(reply, argument);
    }
    if (children.empty()) return;
    reply.key("subcommands");
    reply.map(children.size());
    for (const Command* child : children) {
        reply.key(wire_name(*child));
        write_docs(reply, *child);
    }
}

std::vector<const Command*> top_level() {
    std::vector<const Command*> commands;
    for (const Command* command : all_commands())
        if (!is_subcommand(*command)) commands.push_back(command);
    return commands;
}

Result<> command_all(Call& call) {
    call.reply.array(command_count());
    for (const Command* command : top_level()) write_info(call.reply, *command);
    return {};
}

Result<> command_size(Call& call) {
    call.reply.integer(static_cast<std::int64_t>(command_count()));
    return {};
}

Result<> command_list(Call& call) {
    call.reply.array(command_count());
    for (const Command* command : top_level()) call.reply.text(wire_name(*command));
    return {};
}

const Command* find_wire_name(std::string_view name) {
    std::string spaced(name);
    for (char& c : spaced)
        if (c == '|') c = ' ';
    return find_command(spaced);
}

Result<> command_info(Call& call) {
    if (call.words.empty()) return command_all(call);
    if (auto fits = check_name_count(call.words.size()); !fits) return fits;
    call.reply.array(call.words.size());
    for (const std::string_view word : call.words) {
        if (const Command* command = find_wire_name(word))
            write_info(call.reply, *command);
        else
            call.reply.null();
    }
    return {};
}

Result<> command_docs(Call& call) {
    if (auto fits = check_name_count(call.words.size()); !fits) return fits;
    std::vector<const Command*> wanted;
    for (const std::string_view word : call.words)
        if (const Command* command = find_wire_name(word)) wanted.push_back(command);
    if (call.words.empty()) wanted = top_level();
    call.reply.map(wanted.size());
    for (const Command* command : wanted) {
        call.reply.key(wire_name(*command));
        write_docs(call.reply, *command);
    }
    return {};
}

// ---- the table ----

constexpr std::array kCommandNames{Argument{.name = "command-name", .optional = true, .multiple = true}};

constexpr std::array kIntrospectionCommands{
    Command{
        "COMMAND", "server", 1, kReads, {}, "Describes every command, for client libraries.", &command_all},
    Command{"COMMAND COUNT", "server", 2, kReads, {}, "How many commands there are.", &command_size},
    Command{"COMMAND LIST", "server", 2, kReads, {}, "Their names.", &command_list},
    Command{"COMMAND INFO", "server", -2, kReads, kCommandNames, "Arity and flags of some commands, or all.",
            &command_info},
    Command{"COMMAND DOCS", "server", -2, kReads, kCommandNames,
            "Summary and arguments of some commands, or all.", &command_docs},
};

}  // namespace

std::span<const Command> introspection_commands() { return kIntrospectionCommands; }

}  // namespace evertick::commands
