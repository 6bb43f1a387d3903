#include <gtest/gtest.h>

#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

TEST(Ping, AnswersPongOrTheMessage) {
    FakeServer server;
    EXPECT_EQ(server.run("PING"), "+PONG\r\n");
    EXPECT_EQ(server.run("PING \"a\\x00b\""), std::string("$3\r\na\0b\r\n", 9));
    EXPECT_EQ(server.run("PING a b"),
              "-ERR wrong number of arguments for 'PING' command; usage: PING [message]\r\n");
}

TEST(Quit, AnswersOkAndCloses) {
    FakeServer server;
    EXPECT_EQ(server.run("QUIT"), "+OK\r\n");
    EXPECT_EQ(server.outcome.after, commands::After::close);
}

TEST(Hello, SwitchesToResp3AndAnswersInIt) {
    FakeServer server;
    const std::string reply = server.run("HELLO 3");
    EXPECT_TRUE(reply.starts_with("%7\r\n$6\r\nserver\r\n$8\r\nevertick\r\n")) << reply;
    EXPECT_EQ(server.client.resp, 3);
    EXPECT_EQ(server.run("GET 1:0").substr(0, 6), "-NOENT");
    EXPECT_TRUE(server.run("HELLO 2").starts_with("*14\r\n"));
    EXPECT_EQ(server.client.resp, 2);
}

TEST(Hello, KeepsTheVersionWhenNoneIsNamed) {
    FakeServer server;
    server.run("HELLO 3");
    EXPECT_TRUE(server.run("HELLO").starts_with("%7\r\n"));
}

TEST(Hello, RefusesVersionsThatDoNotExist) {
    FakeServer server;
    for (const char* version : {"1", "4", "three", "03"})
        EXPECT_EQ(server.run(std::string("HELLO ") + version),
                  std::string("-NOPROTO unsupported protocol version '") + version +
                      "'; expected HELLO 2 or HELLO 3\r\n");
    EXPECT_EQ(server.client.resp, 2);
}

TEST(Hello, SetsTheNameAndChangesNothingWhenRefused) {
    FakeServer server;
    server.run("HELLO 3 SETNAME probe");
    EXPECT_EQ(server.client.name, "probe");
    EXPECT_TRUE(server.run("HELLO 2 SETNAME \"two words\"").starts_with("-BADARG SETNAME"));
    EXPECT_TRUE(server.run("HELLO 2 NONSENSE x").starts_with("-ERR HELLO does not know 'NONSENSE'"));
    EXPECT_TRUE(server.run("HELLO 2 AUTH default secret").starts_with("-ERR this server has no password"));
    EXPECT_TRUE(server.run("HELLO 2 AUTH default").starts_with("-BADARG AUTH takes a user and a password"));
    EXPECT_EQ(server.client.resp, 3);
}

TEST(Output, SwitchesBetweenJsonAndResp) {
    FakeServer server;
    server.run("OUTPUT json");
    EXPECT_EQ(server.run("PING"), "{\"ok\":true,\"tick\":0,\"result\":\"PONG\"}\n");
    server.run("OUTPUT resp");
    EXPECT_EQ(server.run("PING"), "+PONG\r\n");
    EXPECT_TRUE(server.run("OUTPUT xml").starts_with("-BADARG OUTPUT takes json or resp, not 'xml'"));
}

TEST(Client, NamesItselfAndIsListed) {
    FakeServer server;
    EXPECT_EQ(server.run("CLIENT ID"), ":1\r\n");
    EXPECT_EQ(server.run("CLIENT GETNAME"), "$-1\r\n");
    EXPECT_EQ(server.run("CLIENT SETNAME scout"), "+OK\r\n");
    EXPECT_EQ(server.run("CLIENT GETNAME"), "$5\r\nscout\r\n");
    EXPECT_NE(server.run("CLIENT LIST").find("id=1 addr=127.0.0.1:50000 laddr=127.0.0.1:7777 name=scout"),
              std::string::npos);
    EXPECT_TRUE(server.run("CLIENT SETNAME \"a b\"").starts_with("-BADARG the name"));
}

TEST(Client, NotesTheLibrary) {
    FakeServer server;
    EXPECT_EQ(server.run("CLIENT SETINFO LIB-NAME ioredis"), "+OK\r\n");
    EXPECT_EQ(server.run("CLIENT SETINFO lib-ver 6.0.0"), "+OK\r\n");
    EXPECT_NE(server.run("CLIENT INFO").find("lib-name=ioredis lib-ver=6.0.0"), std::string::npos);
    EXPECT_TRUE(server.run("CLIENT SETINFO colour red").starts_with("-ERR CLIENT SETINFO takes"));
}

TEST(Client, IsKilledByIdOrAddress) {
    FakeServer server;
    EXPECT_EQ(server.run("CLIENT KILL ID 99"), ":0\r\n");
    EXPECT_EQ(server.run("CLIENT KILL 1.2.3.4:5"),
              "-ERR no client has the address '1.2.3.4:5'; by number it is CLIENT KILL ID id\r\n");
    EXPECT_EQ(server.run("CLIENT KILL ID 1"), ":1\r\n");
    EXPECT_EQ(server.outcome.after, commands::After::close) << "it killed itself";
}

TEST(Client, TakesNoEvictOnOrOff) {
    FakeServer server;
    EXPECT_EQ(server.run("CLIENT NO-EVICT on"), "+OK\r\n");
    EXPECT_TRUE(server.run("CLIENT NO-EVICT maybe").starts_with("-ERR CLIENT NO-EVICT takes ON or OFF"));
}

TEST(Reset, MakesTheConnectionAsNew) {
    FakeServer server;
    server.run("HELLO 3 SETNAME probe");
    EXPECT_EQ(server.run("RESET"), "+RESET\r\n");
    EXPECT_EQ(server.client.resp, 2);
    EXPECT_TRUE(server.client.name.empty());
}

TEST(Select, TakesTheOneWorld) {
    FakeServer server;
    EXPECT_EQ(server.run("SELECT 0"), "+OK\r\n");
    EXPECT_TRUE(server.run("SELECT 1").starts_with("-ERR there is one world"));
}

}  // namespace
}  // namespace evertick::test
