#include "server/commands/table.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace evertick::commands {
namespace {

std::string error_of(std::vector<std::string_view> words) {
    const auto resolved = resolve(words);
    return resolved ? "no error"
                    : std::string(core::name(resolved.error().code)) + " " + resolved.error().message;
}

TEST(Table, HasEachNameOnce) {
    std::set<std::string_view> names;
    for (const Command* command : all_commands())
        EXPECT_TRUE(names.insert(command->name).second) << command->name << " stands twice";
}

TEST(Table, DescribesEveryCommand) {
    for (const Command* command : all_commands()) {
        EXPECT_TRUE(command->summary.ends_with('.'))
            << command->name << " needs a summary that is a sentence";
        EXPECT_FALSE(command->group.empty()) << command->name;
        EXPECT_TRUE(command->handler != nullptr || has_subcommands(*command))
            << command->name << " does nothing";
    }
}

TEST(Table, GivesEverySubcommandAParent) {
    for (const Command* command : all_commands()) {
        const std::size_t space = command->name.find(' ');
        if (space == std::string_view::npos) continue;
        EXPECT_NE(find_command(command->name.substr(0, space)), nullptr) << command->name;
    }
}

TEST(Table, FindsNamesInAnyCase) {
    ASSERT_NE(find_command("spawn"), nullptr);
    EXPECT_EQ(find_command("Tick Step")->name, "TICK STEP");
    EXPECT_EQ(find_command(std::string(1000, 'x')), nullptr);
}

TEST(Table, ResolvesACommandAndTheWordsItsNameTook) {
    const std::array<std::string_view, 2> ping{"ping", "hello"};
    EXPECT_EQ(resolve(ping)->name_words, 1U);
    const std::array<std::string_view, 3> step{"tick", "step", "5"};
    EXPECT_EQ(resolve(step)->command->name, "TICK STEP");
    EXPECT_EQ(resolve(step)->name_words, 2U);
}

TEST(Table, NamesTheNearestCommandAfterATypingMistake) {
    EXPECT_EQ(error_of({"SPWAN"}), "ERR unknown command 'SPWAN' (did you mean 'SPAWN'?)");
    EXPECT_EQ(error_of({"desroy", "0:0"}), "ERR unknown command 'desroy' (did you mean 'DESTROY'?)");
    EXPECT_EQ(error_of({"pause"}), "ERR unknown command 'pause' (did you mean 'TICK PAUSE'?)");
    EXPECT_EQ(error_of({"xyzzyxyzzy"}), "ERR unknown command 'xyzzyxyzzy', try HELP");
}

TEST(Table, NamesTheSubcommandsThereAre) {
    EXPECT_EQ(error_of({"TICK", "STP"}),
              "ERR unknown subcommand 'STP' of TICK (did you mean 'STEP'?); there are INFO, PAUSE, RATE, "
              "RESUME, SPRINT, STEP");
    EXPECT_EQ(
        error_of({"TICK"}),
        "ERR wrong number of arguments for 'TICK' command; usage: TICK INFO|PAUSE|RATE|RESUME|SPRINT|STEP");
}

TEST(Table, ShowsTheUsageWhenTheCountIsWrong) {
    EXPECT_EQ(error_of({"GET"}),
              "ERR wrong number of arguments for 'GET' command; usage: GET id [component[.field] ...]");
    EXPECT_EQ(error_of({"ECHO", "a", "b"}),
              "ERR wrong number of arguments for 'ECHO' command; usage: ECHO message");
}

TEST(Table, RefusesMoreWordsThanTheArgumentsTake) {
    for (const std::vector<std::string_view>& words :
         std::vector<std::vector<std::string_view>>{{"PING", "a", "b"},
                                                    {"TICK", "STEP", "1", "2"},
                                                    {"CLEAR", "YES", "YES"},
                                                    {"SHUTDOWN", "NOSAVE", "NOSAVE"},
                                                    {"QUIT", "now"},
                                                    {"CLIENT", "KILL", "ID", "1", "2"}})
        EXPECT_TRUE(error_of(words).starts_with("ERR wrong number of arguments"))
            << words[0] << ": " << error_of(words);
    for (const std::vector<std::string_view>& words :
         std::vector<std::vector<std::string_view>>{{"PING", "a"},
                                                    {"TICK", "STEP", "1"},
                                                    {"CLIENT", "KILL", "ID", "1"},
                                                    {"GET", "0:0", "a", "b", "c"},
                                                    {"HELLO", "3", "SETNAME", "x"}})
        EXPECT_EQ(error_of(words), "no error") << words[0];
}

TEST(Table, CutsAHostileNameInItsError) { EXPECT_LT(error_of({std::string(100'000, 'z')}).size(), 200U); }

TEST(Usage, ShowsTokensBlocksChoicesAndRepetition) {
    EXPECT_EQ(usage(*find_command("SPAWN")),
              "SPAWN [COUNT count] [QUIET] [AREA x1 y1 z1 x2 y2 z2] [component[.field]=value ...]");
    EXPECT_EQ(usage(*find_command("OUTPUT")), "OUTPUT resp|json");
    EXPECT_EQ(usage(*find_command("CLIENT KILL")), "CLIENT KILL ID id|address:port");
}

}  // namespace
}  // namespace evertick::commands
