#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "server/commands/table.hpp"
#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

nlohmann::json json(FakeServer& server, const std::string& line) {
    return nlohmann::json::parse(
        server.run("JSON " + line));  // throws, and so fails the test, when it is none
}

std::string text(FakeServer& server, const std::string& line) {
    const nlohmann::json reply = json(server, line);
    return reply["ok"] ? reply["result"] : reply["error"];
}

TEST(Help, NamesEveryCommandThatDoesSomething) {
    FakeServer server;
    const std::string help = text(server, "HELP");
    for (const commands::Command* command : commands::all_commands()) {
        const bool listed = help.find(command->name) != std::string::npos;
        EXPECT_TRUE(listed || command->handler == nullptr) << command->name;
    }
}

TEST(Help, ExplainsACommandAndItsSubcommands) {
    FakeServer server;
    EXPECT_TRUE(text(server, "HELP spawn").starts_with("SPAWN [COUNT count]"));
    EXPECT_NE(text(server, "HELP TICK").find("TICK STEP [ticks]"), std::string::npos);
    EXPECT_TRUE(text(server, "HELP tick step").starts_with("TICK STEP [ticks]"));
}

TEST(Help, ExplainsAComponentWithUnitsLimitsAndDefaults) {
    FakeServer server;
    const std::string help = text(server, "HELP health");
    EXPECT_NE(help.find("current"), std::string::npos) << help;
    EXPECT_NE(help.find("default 100"), std::string::npos) << help;
    EXPECT_NE(text(server, "HELP components").find("position"), std::string::npos);
}

TEST(Help, ExplainsAField) {
    FakeServer server;
    EXPECT_EQ(text(server, "HELP position.x"),
              "position.x: a number from -33554432 to 33554432 (m), default 0\n");
    EXPECT_TRUE(text(server, "HELP position.w").starts_with("component position has no field 'w'"));
}

TEST(Help, ExplainsSeveralTopics) {
    FakeServer server;
    EXPECT_EQ(text(server, "HELP get tick step ai"),
              text(server, "HELP get") + text(server, "HELP tick step") + text(server, "HELP ai"));
    EXPECT_EQ(text(server, "HELP get nonsense"), "no help on 'nonsense'; HELP alone lists what there is");
}

TEST(Help, ShowsExamplesThatWork) {
    for (const commands::Command* command : commands::all_commands()) {
        FakeServer server;
        server.run("SPAWN position health flags");
        EXPECT_NE(text(server, "HELP " + std::string(command->name))
                      .find(command->examples.substr(0, command->examples.find('\n'))),
                  std::string::npos);
        std::istringstream lines{std::string(command->examples)};
        for (std::string line; std::getline(lines, line);)
            EXPECT_FALSE(server.run(line).starts_with('-')) << line << " -> " << server.run(line);
    }
}

TEST(Help, TakesABoundedNumberOfTopics) {
    FakeServer server;
    std::string line = "HELP";
    for (int i = 0; i < 128; ++i) line += " get";
    EXPECT_TRUE(server.run(line).starts_with('$'));
    EXPECT_EQ(server.run(line + " get"), "-LIMIT at most 128 names, or none for an overview of all\r\n");
}

TEST(Help, ListsAGroup) {
    FakeServer server;
    EXPECT_NE(text(server, "HELP @time").find("TICK PAUSE"), std::string::npos);
    EXPECT_EQ(text(server, "HELP @nothing"),
              "no group '@nothing'; there are @connection, @redis, @server, @time, @transactions, @world");
}

TEST(Help, SaysWhichTopicIsNearest) {
    FakeServer server;
    EXPECT_EQ(text(server, "HELP positon"), "no help on 'positon' (did you mean 'position'?)");
    EXPECT_EQ(text(server, "HELP spwan"), "no help on 'spwan' (did you mean 'SPAWN'?)");
}

TEST(CommandDocs, HasWhatRedisCliReads) {
    FakeServer server;
    const nlohmann::json docs = json(server, "COMMAND DOCS")["result"];
    for (const auto& [name, entry] : docs.items()) {
        EXPECT_TRUE(entry.contains("group")) << name << ": redis-cli crashes without it";
        EXPECT_TRUE(entry.contains("summary")) << name;
    }
    EXPECT_TRUE(docs["tick"]["subcommands"].contains("tick|step"));
}

TEST(CommandDocs, AnswersFlagsAsSimpleStrings) {
    FakeServer server;
    EXPECT_NE(server.run("COMMAND DOCS get").find("$5\r\nflags\r\n*2\r\n+optional\r\n+multiple\r\n"),
              std::string::npos);
}

TEST(CommandDocs, LeavesOutNamesItDoesNotKnow) {
    FakeServer server;
    EXPECT_EQ(server.run("COMMAND DOCS nonsense"), "*0\r\n");
}

TEST(CommandDocs, TakesABoundedNumberOfNames) {
    FakeServer server;
    std::string names;
    for (int i = 0; i < 129; ++i) names += " query";
    EXPECT_EQ(server.run("COMMAND DOCS" + names),
              "-LIMIT at most 128 names, or none for an overview of all\r\n");
    EXPECT_EQ(server.run("COMMAND INFO" + names),
              "-LIMIT at most 128 names, or none for an overview of all\r\n");
}

TEST(CommandInfo, AnswersNullForANameItDoesNotKnow) {
    FakeServer server;
    EXPECT_EQ(server.run("COMMAND INFO nonsense"), "*1\r\n$-1\r\n");
    EXPECT_TRUE(server.run("COMMAND INFO ping").starts_with("*1\r\n*10\r\n$4\r\nping\r\n:-1\r\n*1\r\n+"));
}

TEST(CommandCount, EqualsTheList) {
    FakeServer server;
    const nlohmann::json list = json(server, "COMMAND LIST")["result"];
    EXPECT_EQ(json(server, "COMMAND COUNT")["result"], list.size());
    EXPECT_EQ(json(server, "COMMAND")["result"].size(), list.size());
}

}  // namespace
}  // namespace evertick::test
