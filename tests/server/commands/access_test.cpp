#include "server/commands/access.hpp"

#include <gtest/gtest.h>

#include "server/commands/table.hpp"
#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

struct GuardedServer : FakeServer {
    GuardedServer() {
        access.password = "secret";
        client.role = access.first_role();
    }
};

TEST(Access, AsksForALoginBeforeAnythingElse) {
    GuardedServer server;
    for (const char* line : {"PING", "SPAWN health", "CLIENT LIST", "COMMAND DOCS", "NONSENSE", "JSON"})
        EXPECT_NE(server.run(line).find("NOAUTH"), std::string::npos) << line << ": " << server.run(line);
    EXPECT_EQ(server.run("HELLO 3").substr(0, 8), "-NOAUTH ");
    EXPECT_EQ(server.client.resp, 2) << "a HELLO that was refused changes nothing";
    EXPECT_EQ(server.run("RESET"), "+RESET\r\n");
    EXPECT_EQ(server.run("QUIT"), "+OK\r\n");
    EXPECT_EQ(server.world.registry.alive_count(), 0U);
}

TEST(Access, LetsTheUserDefaultDoEverything) {
    GuardedServer server;
    EXPECT_EQ(server.run("AUTH wrong"), "-WRONGPASS wrong user name or password\r\n");
    EXPECT_EQ(server.run("AUTH nobody secret").substr(0, 10), "-WRONGPASS");
    EXPECT_EQ(server.run("AUTH secret"), "+OK\r\n");
    EXPECT_EQ(server.run("SPAWN health"), "$3\r\n0:0\r\n");
    EXPECT_NE(server.run("CLIENT INFO").find(" user=default "), std::string::npos);
}

TEST(Access, LetsTheUserReadonlyLookAndNotChange) {
    GuardedServer server;
    EXPECT_EQ(server.run("AUTH readonly secret"), "+OK\r\n");
    for (const char* line : {"PING", "COUNT", "STATUS", "HELLO 3", "CLIENT LIST", "OUTPUT resp"})
        EXPECT_NE(server.run(line).front(), '-') << line;
    for (const char* line :
         {"SPAWN", "DESTROY 0:0", "CLEAR YES", "TICK PAUSE", "SHUTDOWN", "CLIENT KILL ID 1"})
        EXPECT_EQ(server.run(line).substr(0, 7), "-NOPERM") << line;
    EXPECT_NE(server.run("CLIENT INFO").find(" user=readonly "), std::string::npos);
}

TEST(Access, GivesEveryCommandThatChangesTheWorldToTheUserDefaultOnly) {
    const protocol::Client reader{.role = protocol::Role::readonly};
    for (const commands::Command* command : commands::all_commands()) {
        const bool looks =
            command->effect == commands::Effect::reads || command->effect == commands::Effect::connection;
        EXPECT_EQ(commands::check_permission(reader, command).has_value(), looks) << command->name;
    }
}

TEST(Access, LogsInWithHelloAndAnswersInTheNewVersion) {
    GuardedServer server;
    EXPECT_EQ(server.run("HELLO 3 AUTH default wrong").substr(0, 10), "-WRONGPASS");
    EXPECT_EQ(server.client.resp, 2);
    EXPECT_EQ(server.run("HELLO 3 AUTH default secret SETNAME scout").substr(0, 4), "%7\r\n");
    EXPECT_EQ(server.client.resp, 3);
    EXPECT_EQ(server.client.name, "scout");
    EXPECT_EQ(server.run("PING"), "+PONG\r\n");
}

TEST(Access, IsLostWithReset) {
    GuardedServer server;
    server.run("AUTH secret");
    server.run("RESET");
    EXPECT_EQ(server.run("PING").substr(0, 7), "-NOAUTH");
}

TEST(Access, AnswersALoginInTheFormAskedFor) {
    GuardedServer server;
    EXPECT_EQ(server.run("@one JSON AUTH secret"),
              "{\"ok\":true,\"tick\":0,\"req\":\"one\",\"result\":\"OK\"}\n");
}

TEST(Access, HasNoUseForAPasswordWhereNoneIsAskedFor) {
    FakeServer server;
    EXPECT_EQ(server.run("AUTH secret"), "-ERR this server has no password: leave out AUTH\r\n");
}

}  // namespace
}  // namespace evertick::test
