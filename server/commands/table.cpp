#include "server/commands/table.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/nearest_name.hpp"
#include "core/quote.hpp"

namespace evertick::commands {
namespace {

constexpr std::size_t kMaxNameBytes = 32;  // of the longest "PARENT CHILD"

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

std::vector<const Command*> sorted_commands() {
    std::vector<const Command*> all;
    for (const auto group :
         {entity_commands(), query_commands(), time_commands(), server_commands(), access_commands(),
          event_commands(), monitor_commands(), connection_commands(), introspection_commands()})
        for (const Command& command : group) all.push_back(&command);
    std::ranges::sort(all, {}, &Command::name);
    return all;
}

// "TICK" of "TICK STEP"; the whole name of a command without a parent.
std::string_view parent_name(std::string_view name) { return name.substr(0, name.find(' ')); }

bool is_subcommand(const Command& command) { return command.name.contains(' '); }

constexpr std::size_t kUnlimited = std::numeric_limits<std::uint16_t>::max();

// The words an argument takes at most.
std::size_t most_words(const Argument& argument) {
    if (argument.multiple) return kUnlimited;
    const bool is_value = argument.parts.empty() && argument.type != ArgumentType::pure_token;
    std::size_t words = (argument.token.empty() ? 0U : 1U) + (is_value ? 1U : 0U);
    std::size_t of_one = 0;
    for (const Argument& part : argument.parts) {
        if (argument.type == ArgumentType::one_of)
            of_one = std::max(of_one, most_words(part));
        else
            words += most_words(part);
    }
    return words + of_one;
}

bool arity_holds(const Command& command, std::size_t words) {
    const auto wanted = static_cast<std::size_t>(command.arity < 0 ? -command.arity : command.arity);
    if (command.arity >= 0) return words == wanted;
    std::size_t most = is_subcommand(command) ? 2 : 1;
    for (const Argument& argument : command.arguments) most += most_words(argument);
    return words >= wanted && (words <= most || most >= kUnlimited);
}

void append_usage(std::string& out, const Argument& argument);

void append_parts(std::string& out, const Argument& argument, std::string_view separator) {
    for (const Argument& part : argument.parts) {
        if (&part != argument.parts.data()) out += separator;
        append_usage(out, part);
    }
}

void append_usage(std::string& out, const Argument& argument) {
    if (argument.optional) out += '[';
    if (!argument.token.empty()) out += argument.token;
    if (!argument.token.empty() && argument.type != ArgumentType::pure_token) out += ' ';
    switch (argument.type) {
        case ArgumentType::block: append_parts(out, argument, " "); break;
        case ArgumentType::one_of: append_parts(out, argument, "|"); break;
        case ArgumentType::pure_token: break;
        default: out += argument.name;
    }
    if (argument.multiple) out += " ...";
    if (argument.optional) out += ']';
}

std::string_view child_name(const Command& child) { return child.name.substr(child.name.find(' ') + 1); }

// "PAUSE" is a word of TICK PAUSE: people forget the first one.
const Command* find_child(std::string_view name) {
    for (const Command* command : all_commands())
        if (is_subcommand(*command) && equal_ignoring_case(child_name(*command), name)) return command;
    return nullptr;
}

std::unexpected<core::Error> unknown_command(std::string_view name) {
    std::vector<std::string_view> names;
    for (const Command* command : all_commands())
        if (!is_subcommand(*command)) names.push_back(command->name);
    std::string hint = core::did_you_mean(name, names);
    if (const Command* child = find_child(name); child != nullptr)
        hint = " (did you mean '" + std::string(child->name) + "'?)";
    if (hint.empty()) hint = ", try HELP";
    return core::failure(core::ErrorCode::err, "unknown command " + core::quote(name) + hint);
}

std::unexpected<core::Error> unknown_subcommand(const Command& parent, std::string_view name) {
    std::vector<std::string_view> names;
    std::string list;
    for (const Command* child : subcommands(parent)) {
        names.push_back(child_name(*child));
        list += list.empty() ? "" : ", ";
        list += names.back();
    }
    return core::failure(core::ErrorCode::err, "unknown subcommand " + core::quote(name) + " of " +
                                                   std::string(parent.name) +
                                                   core::did_you_mean(name, names) + "; there are " + list);
}

}  // namespace

std::span<const Command* const> all_commands() {
    static const std::vector<const Command*> all = sorted_commands();
    return all;
}

const Command* find_command(std::string_view name) {
    if (name.size() > kMaxNameBytes) return nullptr;
    std::array<char, kMaxNameBytes> buffer;
    std::ranges::transform(name, buffer.begin(), upper);
    const std::string_view wanted(buffer.data(), name.size());
    const auto all = all_commands();
    const auto found = std::ranges::lower_bound(all, wanted, {}, &Command::name);
    return found != all.end() && (*found)->name == wanted ? *found : nullptr;
}

bool has_subcommands(const Command& command) {
    const auto all = all_commands();
    const auto after = std::ranges::upper_bound(all, command.name, {}, &Command::name);
    return after != all.end() && is_subcommand(**after) && parent_name((*after)->name) == command.name;
}

std::vector<const Command*> subcommands(const Command& parent) {
    std::vector<const Command*> children;
    for (const Command* command : all_commands())
        if (is_subcommand(*command) && parent_name(command->name) == parent.name) children.push_back(command);
    return children;
}

core::Result<Resolved> resolve(std::span<const std::string_view> words) {
    const Command* command = words[0].contains(' ') ? nullptr : find_command(words[0]);
    if (command == nullptr) return unknown_command(words[0]);
    std::size_t name_words = 1;
    if (words.size() > 1 && has_subcommands(*command)) {
        std::string full(command->name);
        full += ' ';
        full += words[1].substr(0, kMaxNameBytes);
        if (const Command* child = find_command(full); child != nullptr) {
            command = child;
            name_words = 2;
        } else if (command->arity == 1 || command->handler == nullptr) {
            return unknown_subcommand(*command, words[1]);
        }
    }
    if (command->handler == nullptr || !arity_holds(*command, words.size()))
        return core::failure(core::ErrorCode::err, "wrong number of arguments for '" +
                                                       std::string(command->name) +
                                                       "' command; usage: " + usage(*command));
    return Resolved{command, name_words};
}

std::string usage(const Command& command) {
    std::string out(command.name);
    if (command.handler == nullptr) {
        char separator = ' ';
        for (const Command* child : subcommands(command)) {
            out += separator;
            out += child_name(*child);
            separator = '|';
        }
    }
    for (const Argument& argument : command.arguments) {
        out += ' ';
        append_usage(out, argument);
    }
    return out;
}

bool equal_ignoring_case(std::string_view left, std::string_view right) {
    return std::ranges::equal(left, right, {}, upper, upper);
}

}  // namespace evertick::commands
