// The README's table of commands is the table of commands.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "server/commands/table.hpp"

namespace evertick::commands {
namespace {

std::string cell(std::string_view text) {
    std::string out;
    for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
    return out;
}

std::string table_of_commands() {
    std::string out = "| command | does |\n|---|---|\n";
    for (const std::string_view group : {"world", "time", "server", "connection", "transactions", "redis"})
        for (const Command* command : all_commands())
            if (command->group == group && command->handler != nullptr)
                out += "| `" + cell(usage(*command)) + "` | " + cell(command->summary) + " |\n";
    return out;
}

TEST(Readme, ShowsTheTableOfCommands) {
    std::ifstream file(EVERTICK_README);
    const std::string readme{std::istreambuf_iterator<char>(file), {}};
    EXPECT_NE(readme.find(table_of_commands()), std::string::npos)
        << "README.md should show, between its <!-- commands --> marks:\n\n"
        << table_of_commands();
}

TEST(Readme, LeavesNoGroupOut) {
    for (const Command* command : all_commands())
        EXPECT_NE(std::string("world time server connection transactions redis").find(command->group),
                  std::string::npos)
            << command->name;
}

}  // namespace
}  // namespace evertick::commands
