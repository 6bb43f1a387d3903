#include <gtest/gtest.h>

#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

TEST(Shutdown, EndsTheServer) {
    FakeServer server;
    EXPECT_EQ(server.run("SHUTDOWN NOSAVE"), "+OK\r\n");
    EXPECT_TRUE(server.process.ended);
    EXPECT_EQ(server.outcome.after, commands::After::close);
}

TEST(Shutdown, RefusesToSaveWhileThereIsNothingToSaveTo) {
    FakeServer server;
    EXPECT_TRUE(server.run("SHUTDOWN SAVE").starts_with("-ERR this server keeps nothing on disk"));
    EXPECT_TRUE(server.run("SHUTDOWN LATER").starts_with("-BADARG SHUTDOWN takes NOSAVE"));
    EXPECT_FALSE(server.process.ended);
}

TEST(Save, IsRefusedWhileNothingIsKept) {
    FakeServer server;
    for (const char* line : {"SAVE", "BGSAVE", "BGSAVE SCHEDULE", "LASTSAVE"})
        EXPECT_EQ(server.run(line), "-ERR this server keeps nothing on disk yet: its world ends with it\r\n");
}

TEST(Seed, IsTheWorldsOwn) {
    FakeServer server;
    EXPECT_EQ(server.run("SEED"), ":1\r\n");
    server.world.seed = ~std::uint64_t{0};
    EXPECT_EQ(server.run("JSON SEED"), "{\"ok\":true,\"tick\":0,\"result\":18446744073709551615}\n");
}

}  // namespace
}  // namespace evertick::test
