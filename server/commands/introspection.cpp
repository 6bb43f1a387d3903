// HELP COMMAND: what this server understands, from the table and the component schemas.

#include <array>
#include <set>

#include "core/nearest_name.hpp"
#include "core/quote.hpp"
#include "core/schema.hpp"
#include "server/commands/arguments.hpp"
#include "server/commands/command.hpp"
#include "server/commands/table.hpp"
#include "server/version.hpp"
#include "server/world/component_type.hpp"

namespace evertick::commands {
namespace {

using core::ErrorCode;
using core::failure;
using core::Result;

constexpr std::size_t kMaxNames = 128;  // of HELP, COMMAND INFO and COMMAND DOCS

// A description is long, so one request may not ask for any number of them.
Result<> check_name_count(const Call& call) {
    if (call.words.size() <= kMaxNames) return {};
    return failure(ErrorCode::limit,
                   "at most " + std::to_string(kMaxNames) + " names, or none for an overview of all");
}

// ---- HELP ----

bool is_subcommand(const Command& command) { return command.name.contains(' '); }

void append_line(std::string& out, std::string_view left, std::string_view right) {
    constexpr std::size_t kColumn = 18;
    out += "  ";
    out += left;
    out.append(left.size() < kColumn ? kColumn - left.size() : 1, ' ');
    out += right;
    out += '\n';
}

void append_group(std::string& out, std::string_view group) {
    out += "@" + std::string(group) + "\n";
    for (const Command* command : all_commands())
        if (command->group == group && command->handler != nullptr)
            append_line(out, command->name, command->summary);
}

std::set<std::string_view> groups() {
    std::set<std::string_view> names;
    for (const Command* command : all_commands()) names.insert(command->group);
    return names;
}

std::string overview() {
    std::string out = "Evertick " + std::string(kVersion) +
                      ". HELP command, HELP @group, HELP components, HELP component.\n";
    for (const std::string_view group : groups()) append_group(out, group);
    out += "components\n";
    for (const world::ComponentType& type : world::component_types()) append_line(out, type.name, type.help);
    out += "Try: SPAWN position=1,2,3 velocity=1,0,0 health=50,100\n";
    return out;
}

std::string indented(std::string_view lines) {
    std::string out = "  ";
    for (const char c : lines) out += c == '\n' ? std::string("\n  ") : std::string(1, c);
    return out + "\n";
}

std::string about(const Command& command) {
    std::string out = usage(command) + "\n  " + std::string(command.summary) + "\n";
    for (const Command* child : subcommands(command)) append_line(out, usage(*child), child->summary);
    if (!command.examples.empty()) out += "examples\n" + indented(command.examples);
    return out;
}

std::string about(const world::ComponentType& type, const core::Field& field) {
    std::string out = core::accepted_form(field) + ", default ";
    core::append_text(out, core::read(field, type.defaults));
    if (field.info.optional) out += ", optional";
    if (!field.info.help.empty()) out += "; " + std::string(field.info.help);
    return out;
}

std::string about(const world::ComponentType& type) {
    std::string out = std::string(type.name) + ": " + std::string(type.help) + "\n";
    for (const core::Field& field : type.fields) append_line(out, field.name, about(type, field));
    return out;
}

std::string all_components() {
    std::string out;
    for (const world::ComponentType& type : world::component_types()) out += about(type);
    return out;
}

Result<std::string> help_on_field(std::string_view topic) {
    const auto path = parse_path(topic);
    if (!path) return std::unexpected(path.error());
    return std::string(topic) + ": " + about(world::component_types()[path->component], *path->field) + "\n";
}

std::unexpected<core::Error> unknown_topic(std::string_view topic) {
    std::vector<std::string_view> names;
    for (const Command* command : all_commands()) names.push_back(command->name);
    for (const world::ComponentType& type : world::component_types()) names.push_back(type.name);
    const std::string nearest = core::did_you_mean(topic, names);
    return failure(ErrorCode::err, "no help on " + core::quote(topic) +
                                       (nearest.empty() ? "; HELP alone lists what there is" : nearest));
}

Result<std::string> help_on(std::string_view topic) {
    if (topic.starts_with('@')) {
        const std::string group(topic.substr(1));
        if (!groups().contains(group)) {
            std::string list;
            for (const std::string_view name : groups())
                list += (list.empty() ? "@" : ", @") + std::string(name);
            return failure(ErrorCode::badarg, "no group " + core::quote(topic) + "; there are " + list);
        }
        std::string out;
        append_group(out, group);
        return out;
    }
    if (equal_ignoring_case(topic, "components")) return all_components();
    if (const auto component = world::find_component(topic))
        return about(world::component_types()[*component]);
    if (const Command* command = find_command(topic)) return about(*command);
    if (topic.contains('.')) return help_on_field(topic);
    return unknown_topic(topic);
}

// "TICK STEP" is one topic; any other words are topics of their own.
Result<> help(Call& call) {
    if (auto fits = check_name_count(call); !fits) return fits;
    std::string text = call.words.empty() ? overview() : std::string{};
    for (auto words = call.words; !words.empty();) {
        const std::string both = words.size() > 1 ? std::string(words[0]) + " " + std::string(words[1]) : "";
        const bool is_pair = find_command(both) != nullptr;
        const auto about_topic = help_on(is_pair ? std::string_view(both) : words[0]);
        if (!about_topic) return std::unexpected(about_topic.error());
        text += *about_topic;
        words = words.subspan(is_pair ? 2 : 1);
    }
    call.reply.verbatim(text);
    return {};
}

// ---- COMMAND ----

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
    if (auto fits = check_name_count(call); !fits) return fits;
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
    if (auto fits = check_name_count(call); !fits) return fits;
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

constexpr std::array kTopic{
    Argument{.name = "command|@group|component[.field]", .optional = true, .multiple = true}};
constexpr std::array kNames{Argument{.name = "command-name", .optional = true, .multiple = true}};

constexpr auto kReads = Effect::reads;
constexpr std::array kCommands{
    Command{"HELP", "server", -1, kReads, kTopic, "Explains commands, groups, components and fields.", &help},
    Command{
        "COMMAND", "server", 1, kReads, {}, "Describes every command, for client libraries.", &command_all},
    Command{"COMMAND COUNT", "server", 2, kReads, {}, "How many commands there are.", &command_size},
    Command{"COMMAND LIST", "server", 2, kReads, {}, "Their names.", &command_list},
    Command{"COMMAND INFO", "server", -2, kReads, kNames, "Arity and flags of some commands, or all.",
            &command_info},
    Command{"COMMAND DOCS", "server", -2, kReads, kNames, "Summary and arguments of some commands, or all.",
            &command_docs},
};

}  // namespace

std::span<const Command> introspection_commands() { return kCommands; }

}  // namespace evertick::commands
