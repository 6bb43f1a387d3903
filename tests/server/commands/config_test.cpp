#include <gtest/gtest.h>

#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

TEST(ConfigGet, AnswersWhatRedisBenchmarkAsks) {
    FakeServer server;
    EXPECT_EQ(server.run("CONFIG GET save"), "*2\r\n$4\r\nsave\r\n$0\r\n\r\n");
    EXPECT_EQ(server.run("CONFIG GET appendonly"), "*2\r\n$10\r\nappendonly\r\n$2\r\nno\r\n");
}

TEST(ConfigGet, MatchesPatterns) {
    FakeServer server;
    EXPECT_EQ(server.run("CONFIG GET tick-*"), "*2\r\n$9\r\ntick-rate\r\n$2\r\n30\r\n");
    EXPECT_EQ(server.run("CONFIG GET nothing*"), "*0\r\n");
}

TEST(ConfigGet, TakesAPatternOfBoundedLength) {
    FakeServer server;
    EXPECT_EQ(server.run("CONFIG GET " + std::string(257, '*')),
              "-LIMIT a pattern has at most 256 bytes\r\n");
}

TEST(ConfigSet, HandsAllPairsOnAtOnce) {
    FakeServer server;
    EXPECT_EQ(server.run("CONFIG SET tick-rate 60 idle-timeout 5"), "+OK\r\n");
    EXPECT_EQ(server.settings.set_by_client, "tick-rate=60;idle-timeout=5;");
}

TEST(ConfigSet, PassesTheErrorOn) {
    FakeServer server;
    EXPECT_EQ(server.run("CONFIG SET tick-rate bad"), "-BADARG that is bad\r\n");
    EXPECT_EQ(server.run("CONFIG SET tick-rate 60 port"),
              "-ERR CONFIG SET: 'port' has no value; expected CONFIG SET name value [name value ...]\r\n");
    EXPECT_EQ(server.settings.set_by_client, "");
}

TEST(ConfigReload, SaysWhatChangedAndWhatNeedsARestart) {
    FakeServer server;
    EXPECT_EQ(server.run("JSON CONFIG RELOAD"),
              "{\"ok\":true,\"tick\":0,\"result\":{\"changed\":[\"tick-rate\"],\"needs_restart\":[\"port\","
              "\"bind\"]}}\n");
}

TEST(LogLevel, IsASettingLikeOthers) {
    FakeServer server;
    EXPECT_EQ(server.run("LOG LEVEL debug"), "+OK\r\n");
    EXPECT_EQ(server.settings.set_by_client, "log-level=debug;");
    EXPECT_EQ(server.run("LOG LEVEL bad"), "-BADARG that is bad\r\n");
}

}  // namespace
}  // namespace evertick::test
