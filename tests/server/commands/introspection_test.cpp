#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "server/commands/table.hpp"
#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

rapidjson::Document json(FakeServer& server, const std::string& line) {
    rapidjson::Document document;
    document.Parse(server.run("JSON " + line).c_str());
    EXPECT_FALSE(document.HasParseError()) << line;
    return document;
}

std::string text(FakeServer& server, const std::string& line) {
    const rapidjson::Document reply = json(server, line);
    return reply["ok"].GetBool() ? reply["result"].GetString() : reply["error"].GetString();
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

TEST(Help, ListsAGroup) {
    FakeServer server;
    EXPECT_NE(text(server, "HELP @time").find("TICK PAUSE"), std::string::npos);
    EXPECT_EQ(text(server, "HELP @nothing"),
              "no group '@nothing'; there are @connection, @server, @time, @world");
}

TEST(Help, SaysWhichCommandIsNearest) {
    FakeServer server;
    EXPECT_EQ(text(server, "HELP spwan"), "unknown command 'spwan', did you mean 'SPAWN'?");
}

TEST(CommandDocs, HasWhatRedisCliReads) {
    FakeServer server;
    const rapidjson::Document docs = json(server, "COMMAND DOCS");
    for (const auto& [name, entry] : docs["result"].GetObject()) {
        EXPECT_TRUE(entry.HasMember("group")) << name.GetString() << ": redis-cli crashes without it";
        EXPECT_TRUE(entry.HasMember("summary")) << name.GetString();
    }
    EXPECT_TRUE(docs["result"]["tick"]["subcommands"].HasMember("tick|step"));
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

TEST(CommandInfo, AnswersNullForANameItDoesNotKnow) {
    FakeServer server;
    EXPECT_EQ(server.run("COMMAND INFO nonsense"), "*1\r\n$-1\r\n");
    EXPECT_TRUE(server.run("COMMAND INFO ping").starts_with("*1\r\n*10\r\n$4\r\nping\r\n:-1\r\n*1\r\n+"));
}

TEST(CommandCount, EqualsTheList) {
    FakeServer server;
    const rapidjson::Document list = json(server, "COMMAND LIST");
    EXPECT_EQ(json(server, "COMMAND COUNT")["result"].GetUint(), list["result"].Size());
    EXPECT_EQ(json(server, "COMMAND")["result"].Size(), list["result"].Size());
}

}  // namespace
}  // namespace evertick::test
