#pragma once
// All commands, and how a name is found among them.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/commands/command.hpp"

namespace evertick::commands {

// Every command and subcommand, sorted by name.
std::span<const Command* const> all_commands();

// The command of that name in any case ("spawn", "TICK STEP"), or nullptr. cost: O(length)
const Command* find_command(std::string_view name);

// "tick|step": what CLIENT LIST and COMMAND call it.
std::string_view wire_name(const Command& command);

// The subcommands of a parent such as "TICK", in table order.
std::vector<const Command*> subcommands(const Command& parent);
bool has_subcommands(const Command& command);
bool is_subcommand(const Command& command);

// What the words ask for: the command and how many words its name took.
// cost: O(length of the name), no allocation
// errors: ERR unknown command or subcommand (with the nearest), ERR wrong number of arguments (with the
// usage)
struct Resolved {
    const Command* command;
    std::size_t number;  // its place in all_commands()
    std::string_view wire_name;
    std::size_t name_words;
};
core::Result<Resolved> resolve(std::span<const std::string_view> words);

// "SPAWN [COUNT count] [component ...]"
std::string usage(const Command& command);

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Whether two words are equal in any ASCII case; keywords are matched with it.
bool equal_ignoring_case(std::string_view left, std::string_view right);

}  // namespace evertick::commands
