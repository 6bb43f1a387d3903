#include "server/commands/table.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/nearest_name.hpp"
#include "core/quote.hpp"
#include "server/commands/name_table.hpp"

namespace evertick::commands {
namespace {

constexpr std::size_t kMaxNameBytes = 32;  // of the longest "PARENT CHILD"

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
std::vector<const Command*> sorted_commands() {
    std::vector<const Command*> all;
    for (const auto group :
         {spawn_commands(),      destroy_commands(),      entity_commands(),     query_commands(),
          quarantine_commands(), state_hash_commands(),   hash_commands(),       keyspace_commands(),
          time_commands(),       transaction_commands(),  connection_commands(), client_commands(),
          access_commands(),     event_commands(),        monitor_commands(),    info_commands(),
          config_commands(),     operation_commands(),    diagnosis_commands(),  memory_commands(),
          help_commands(),       introspection_commands()})
        for (const Command& command : group) all.push_back(&command);
    std::ranges::sort(all, {}, &Command::name);
    return all;
}

// "TICK" of "TICK STEP"; the whole name of a command without a parent.
std::string_view parent_name(std::string_view name) { return name.substr(0, name.find(' ')); }

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

std::size_t most_words(const Command& command) {
    if (command.arity >= 0) return static_cast<std::size_t>(command.arity);
    std::size_t most = is_subcommand(command) ? 2 : 1;
    for (const Argument& argument : command.arguments) most += most_words(argument);
    return most >= kUnlimited ? std::numeric_limits<std::size_t>::max() : most;
}

std::string lower_with_bar(std::string_view name) {
    std::string out;
    for (const char c : name) out += c == ' ' ? '|' : lower(c);
    return out;
}

// What a request needs to know of a command, worked out once.
struct Entry {
    explicit Entry(const Command& of)
        : command(&of),
          wire_name(lower_with_bar(of.name)),
          least_words(static_cast<std::size_t>(of.arity < 0 ? -of.arity : of.arity)),
          most_words(commands::most_words(of)),
          has_subcommands(commands::has_subcommands(of)) {}

    const Command* command;
    std::string wire_name;
    std::size_t least_words, most_words;  // with the name
    bool has_subcommands;
};

std::span<const Entry> entries() {
    static const std::vector<Entry> all = [] {
        std::vector<Entry> made;
        for (const Command* command : all_commands()) made.emplace_back(*command);
        return made;
    }();
    return all;
}

const NameTable& names() {
    static const NameTable table = [] {
        std::vector<std::string_view> list;
        for (const Command* command : all_commands()) list.push_back(command->name);
        return NameTable(list);
    }();
    return table;
}

// A name as it stands in the table, on the stack; what is longer than any name becomes no name.
class UpperName {
  public:
    UpperName& operator+=(std::string_view text) {
        if (text.size() > bytes_.size() - size_) text = {};
        std::ranges::transform(text, bytes_.begin() + static_cast<std::ptrdiff_t>(size_), upper);
        size_ += text.size();
        return *this;
    }
    std::string_view text() const { return {bytes_.data(), size_}; }

  private:
    std::array<char, kMaxNameBytes> bytes_;
    std::size_t size_ = 0;
};

const Entry* find_entry(const UpperName& name) {
    const std::size_t number = names().find(name.text());
    return number == NameTable::kUnknown ? nullptr : &entries()[number];
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
    for (const Command* child : subcommands(parent)) names.push_back(child_name(*child));
    std::string list = names.size() == 1 ? "; there is " : "; there are ";
    for (const std::string_view child : names) {
        if (child != names.front()) list += ", ";
        list += child;
    }
    if (parent.handler != nullptr) list += ", and " + std::string(parent.name) + " alone";
    return core::failure(core::ErrorCode::err, "unknown subcommand " + core::quote(name) + " of " +
                                                   std::string(parent.name) +
                                                   core::did_you_mean(name, names) + list);
}

}  // namespace

std::span<const Command* const> all_commands() {
    static const std::vector<const Command*> all = sorted_commands();
    return all;
}

const Command* find_command(std::string_view name) {
    const Entry* const entry = find_entry(UpperName{} += name);
    return entry == nullptr ? nullptr : entry->command;
}

std::string_view wire_name(const Command& command) { return entries()[names().find(command.name)].wire_name; }

bool is_subcommand(const Command& command) { return command.name.contains(' '); }

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
    UpperName name;
    const Entry* entry = find_entry(name += words[0]);
    if (entry == nullptr || is_subcommand(*entry->command)) return unknown_command(words[0]);
    std::size_t name_words = 1;
    if (words.size() > 1 && entry->has_subcommands) {
        name += " ";
        if (const Entry* const child = find_entry(name += words[1]); child != nullptr) {
            entry = child;
            name_words = 2;
        } else if (entry->command->arity == 1 || entry->command->handler == nullptr) {
            return unknown_subcommand(*entry->command, words[1]);
        }
    }
    const bool fits = words.size() >= entry->least_words && words.size() <= entry->most_words;
    if (entry->command->handler == nullptr || !fits)
        return core::failure(core::ErrorCode::err, "wrong number of arguments for '" +
                                                       std::string(entry->command->name) +
                                                       "' command; usage: " + usage(*entry->command));
    return Resolved{entry->command, static_cast<std::size_t>(entry - entries().data()), entry->wire_name,
                    name_words};
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
