// HELP: what this server understands, from the table and the component schemas.

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

void append_line(std::string& out, std::string_view left, std::string_view right) {
    constexpr std::size_t kColumn = 20;
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
    if (auto fits = check_name_count(call.words.size()); !fits) return fits;
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

// ---- the table ----

constexpr std::array kTopic{
    Argument{.name = "command|@group|component[.field]", .optional = true, .multiple = true}};

constexpr std::array kHelpCommands{
    Command{"HELP", "server", -1, Effect::reads, kTopic, "Explains commands, groups, components and fields.",
            &help},
};

}  // namespace

std::span<const Command> help_commands() { return kHelpCommands; }

}  // namespace evertick::commands
