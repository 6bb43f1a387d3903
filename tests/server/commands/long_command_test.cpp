#include "server/commands/long_command.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <optional>
#include <string>

#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

// One that leaves the pieces of its long commands to the test.
struct PatientServer : FakeServer {
    PatientServer() { works_on = false; }
    // The reply, when this piece was the last.
    std::string piece() {
        const auto done = long_commands.work(world.tick);
        return done ? done->reply : "";
    }
};

TEST(LongCommand, AnswersAtOnceWhenOnePieceIsEnough) {
    PatientServer server;
    EXPECT_EQ(server.run("SPAWN COUNT 2000 QUIET"), ":2000\r\n");
    EXPECT_EQ(server.run("DESTROY BOX 0 0 0 1 1 1"), ":0\r\n");
    EXPECT_EQ(server.run("SPAWN COUNT 1 QUIET health"), ":1\r\n");
    EXPECT_EQ(server.run("DESTROY WITH health"), ":1\r\n");
    EXPECT_TRUE(server.long_commands.empty());
}

TEST(LongSpawn, MakesAPieceAtATimeAndAnswersAfterTheLast) {
    PatientServer server;
    EXPECT_EQ(server.run("@s JSON SPAWN COUNT 5000 QUIET health=5,10"), "");
    EXPECT_EQ(server.outcome.after, commands::After::wait);
    EXPECT_EQ(server.world.registry.alive_count(), 2000U);
    EXPECT_EQ(server.run("PING"), "+PONG\r\n") << "others are served meanwhile";
    EXPECT_EQ(server.piece(), "");
    server.world.tick = 9;
    EXPECT_EQ(server.piece(), "{\"ok\":true,\"tick\":9,\"req\":\"s\",\"result\":5000}\n");
    EXPECT_EQ(server.run("COUNT WHERE health.current=5"), ":5000\r\n");
    EXPECT_EQ(server.world.counters.spawned, 5000U);
}

TEST(LongSpawn, AnswersTheIds) {
    FakeServer server;
    const std::string reply = server.run("SPAWN COUNT 4001");
    EXPECT_TRUE(reply.starts_with("*4001\r\n$3\r\n0:0\r\n")) << reply.substr(0, 40);
    EXPECT_TRUE(reply.ends_with("$6\r\n4000:0\r\n"));
    EXPECT_EQ(server.pieces, 2U);
}

TEST(LongSpawn, DrawsTheSamePositionsWhateverHappensBetween) {
    PatientServer calm, busy;
    for (PatientServer* server : {&calm, &busy}) server->run("SPAWN COUNT 3000 QUIET AREA 0 0 0 9 9 9");
    busy.world.random.next();
    calm.piece();
    busy.piece();
    EXPECT_EQ(calm.run("QUERY LIMIT 9000 RETURN position"), busy.run("QUERY LIMIT 9000 RETURN position"));
}

TEST(LongSpawn, ShowsWhatItHasMadeToQuestionsBetween) {
    PatientServer server;
    EXPECT_EQ(server.run("SPAWN COUNT 5000 QUIET position=1,2,3"), "");
    EXPECT_EQ(server.run("COUNT NEAR 1 2 3 1"), ":2000\r\n");
    server.piece();
    EXPECT_EQ(server.run("COUNT NEAR 1 2 3 1"), ":4000\r\n");
    EXPECT_EQ(server.piece(), ":5000\r\n");
    EXPECT_EQ(server.run("COUNT NEAR 1 2 3 1"), ":5000\r\n");
    EXPECT_EQ(server.run("DESTROY BOX 0 0 0 4 4 4"), "");
    const std::string left = ":" + std::to_string(server.world.registry.alive_count()) + "\r\n";
    EXPECT_EQ(server.run("COUNT NEAR 1 2 3 1"), left);
}

TEST(LongSpawn, UnmakesAllWhenOthersTakeTheRoom) {
    PatientServer server;
    server.world.max_entities = 6000;
    server.run("SPAWN COUNT 6000 QUIET");
    server.run("SPAWN COUNT 1000 QUIET ai");
    EXPECT_EQ(server.piece(), "");
    EXPECT_EQ(server.piece(), "") << "no room for the last piece: now it undoes the first two";
    EXPECT_TRUE(server.piece().starts_with("-OOM the world holds 5000 entities and max-entities is 6000"));
    EXPECT_EQ(server.run("COUNT"), ":1000\r\n");
    EXPECT_EQ(server.run("COUNT WITH ai"), ":1000\r\n") << "the others' are still there";
    EXPECT_EQ(server.world.counters.spawned, 1000U);
}

TEST(LongSpawn, GivesBackTheSeedItTookWhenItFails) {
    PatientServer server;
    server.world.max_entities = 6000;
    const auto before = server.world.random.state();
    server.run("SPAWN COUNT 6000 QUIET AREA 0 0 0 9 9 9");
    server.run("SPAWN");
    std::string reply;
    server.work(reply);
    EXPECT_TRUE(reply.starts_with("-OOM")) << reply;
    EXPECT_EQ(server.world.random.state(), before) << "a command that fails changes nothing";
}

TEST(LongSpawn, LeavesTheGeneratorToWhoHasDrawnMeanwhile) {
    PatientServer server;
    server.world.max_entities = 6000;
    server.run("SPAWN COUNT 6000 QUIET AREA 0 0 0 9 9 9");
    server.run("SPAWN AREA 0 0 0 9 9 9");
    const auto meanwhile = server.world.random.state();
    std::string reply;
    server.work(reply);
    EXPECT_TRUE(reply.starts_with("-OOM")) << reply;
    EXPECT_EQ(server.world.random.state(), meanwhile) << "their numbers must not come again";
}

TEST(LongDestroy, LooksAtAPieceAtATime) {
    PatientServer server;
    server.works_on = true;
    server.run("SPAWN COUNT 50000 QUIET health=5,10");
    server.run("SPAWN COUNT 10 QUIET health=50,100");
    server.works_on = false;
    EXPECT_EQ(server.run("DESTROY WHERE health.current>9 DRYRUN"), "");
    EXPECT_EQ(server.piece(), "");
    EXPECT_EQ(server.piece(), ":10\r\n");
    EXPECT_EQ(server.run("DESTROY WHERE health.current<9"), "");
    EXPECT_LT(server.world.counters.destroyed, 2000U) << "a destroyed one counts for eleven looked at";
    EXPECT_GT(server.world.counters.destroyed, 1500U);
    std::string reply;
    server.work(reply);
    EXPECT_EQ(reply, ":50000\r\n");
    EXPECT_EQ(server.run("COUNT"), ":10\r\n");
}

TEST(LongDestroy, LeavesWhatIsMadeMeanwhile) {
    PatientServer server;
    server.works_on = true;
    server.run("SPAWN COUNT 30000 QUIET");
    server.works_on = false;
    EXPECT_EQ(server.run("CLEAR YES"), "");
    server.run("SPAWN COUNT 1000 QUIET ai");
    std::string reply;
    server.work(reply);
    EXPECT_EQ(server.run("COUNT WITH ai").substr(0, 1), ":");
    EXPECT_EQ(server.run("COUNT WITHOUT ai"), ":0\r\n");
}

// One that finds no memory, at its second piece of work or of the answer.
class HungryCommand final : public commands::LongCommand {
  public:
    enum class Ends : std::uint8_t { work, answer };
    HungryCommand(Ends ends, int& done) : ends_(ends), done_(done) {}
    core::Result<bool> work() override {
        if (ends_ == Ends::work && done_ == 1) throw std::bad_alloc();
        return ++done_ == 2;
    }
    bool answer(protocol::ReplyWriter& reply) override {
        if (answered_++ > 0) throw std::bad_alloc();
        reply.array(2);
        return false;
    }
    bool undo() override { return --done_ == 0; }

  private:
    Ends ends_;
    int& done_;
    int answered_ = 0;
};

TEST(LongCommands, AreUndoneAndAnsweredWhenMemoryEnds) {
    for (const auto ends : {HungryCommand::Ends::work, HungryCommand::Ends::answer}) {
        commands::LongCommands commands;
        int done = 0;
        commands::LongRun run{std::make_unique<HungryCommand>(ends, done), false, {}};
        commands.add(run, {.client_id = 1, .encoding = protocol::Encoding::json, .tag = "big"});
        std::optional<commands::LongCommands::Done> end;
        for (int piece = 0; piece < 10 && !end; ++piece) end = commands.work(7);
        ASSERT_TRUE(end) << "it never answers";
        EXPECT_EQ(end->reply,
                  "{\"ok\":false,\"tick\":7,\"req\":\"big\",\"code\":\"OOM\",\"error\":\"out of memory\"}\n");
        EXPECT_EQ(done, 0) << "what was done is undone";
        EXPECT_TRUE(commands.empty());
    }
}

TEST(LongCommands, AreUndoneAtOnceWithinExec) {
    FakeServer server;
    std::string out;
    protocol::ReplyWriters writers(out);
    commands::Call call{server.context,
                        server.client,
                        {},
                        writers.get(protocol::Encoding::resp2),
                        protocol::Encoding::resp2,
                        ""};
    call.within_exec = true;
    call.reply.begin(0, "");
    int done = 0;
    const auto ended =
        commands::run_in_pieces(call, std::make_unique<HungryCommand>(HungryCommand::Ends::answer, done), 2);
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().message, "out of memory");
    EXPECT_EQ(done, 0);
}

TEST(LongCommands, AreDoneOneAfterTheOther) {
    PatientServer server;
    server.run("SPAWN COUNT 4000 QUIET");
    server.run("@second JSON SPAWN COUNT 3000 QUIET");
    EXPECT_EQ(server.piece(), ":4000\r\n");
    EXPECT_EQ(server.piece(), "{\"ok\":true,\"tick\":0,\"req\":\"second\",\"result\":3000}\n");
    EXPECT_TRUE(server.long_commands.empty());
}

TEST(LongCommands, AreOnePieceWithinExecUpToALimit) {
    PatientServer server;
    for (const char* line : {"MULTI", "SPAWN COUNT 20000 QUIET ai", "SPAWN COUNT 20001 QUIET", "CLEAR YES"})
        server.run(line);
    EXPECT_EQ(
        server.run("EXEC"),
        "*3\r\n:20000\r\n-LIMIT between MULTI and EXEC a command makes, or looks at, at most 20000 entities; "
        "by itself it takes more\r\n:20000\r\n");
    EXPECT_TRUE(server.long_commands.empty());
}

}  // namespace
}  // namespace evertick::test
