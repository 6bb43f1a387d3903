#include <gtest/gtest.h>

#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

TEST(Info, AnswersLinesThatRedisClientsParse) {
    FakeServer server;
    server.run("SPAWN COUNT 3 health");
    const std::string info = server.run("INFO");
    EXPECT_NE(info.find("# "
                        "Memory\r\nused_memory:1000000\r\nused_memory_rss:3000000\r\nlive_bytes:"
                        "1000000\r\nreserved_bytes:2000000\r\n"),
              std::string::npos)
        << info;
    EXPECT_NE(info.find("\r\nloading:0\r\n"), std::string::npos) << "clients wait while it is 1";
    EXPECT_NE(info.find("\r\nentities:3\r\n"), std::string::npos);
    EXPECT_NE(info.find("\r\ncomponent_health:3\r\n"), std::string::npos);
    EXPECT_TRUE(info.ends_with("# Keyspace\r\ndb0:keys=3,expires=0,avg_ttl=0\r\n\r\n")) << info;
}

TEST(Info, NamesWhatTheSpatialIndexTakes) {
    FakeServer server;
    server.run("SPAWN COUNT 1000 QUIET position=1,2,3");
    EXPECT_NE(server.run("INFO memory").find("\r\nspatial_index_bytes:0\r\n"), std::string::npos);
    server.run("QUERY NEAREST 1 2 3 4");
    const std::size_t bytes = server.world.spatial_index.allocated_bytes();
    EXPECT_GT(bytes, 20'000U);
    EXPECT_NE(server.run("INFO memory").find("\r\nspatial_index_bytes:" + std::to_string(bytes) + "\r\n"),
              std::string::npos);
    EXPECT_NE(server.run("INFO world").find("\r\nspatial_index_rebuilds:1\r\n"), std::string::npos);
}

TEST(Info, AnswersTheSectionsAskedFor) {
    FakeServer server;
    const std::string info = server.run("INFO tick clients");
    EXPECT_EQ(info.find("# Memory"), std::string::npos);
    EXPECT_NE(info.find("# Clients"), std::string::npos);
    EXPECT_NE(info.find("# Tick"), std::string::npos);
    EXPECT_EQ(server.run("INFO replication"), "$0\r\n\r\n") << "a section of Redis's that libraries ask for";
    EXPECT_EQ(
        server.run("INFO nope"),
        "-BADARG no section 'nope'; there are Server, Clients, Memory, Stats, Tick, World, Keyspace\r\n");
}

TEST(Status, FitsOneScreen) {
    FakeServer server;
    server.client.resp = 3;
    const std::string status = server.run("STATUS");
    EXPECT_TRUE(status.starts_with("=")) << "human text is verbatim in RESP3";
    EXPECT_LT(std::ranges::count(status, '\n'), 24);
}

}  // namespace
}  // namespace evertick::test
