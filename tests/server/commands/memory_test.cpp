#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;
constexpr std::size_t kPages = kMegabyte / core::PageSource::kPageBytes;  // of a megabyte

nlohmann::json report(FakeServer& server, const std::string& line) {
    return nlohmann::json::parse(server.run("JSON " + line))["result"];
}

// A process with a run of this many megabytes in use and as many idle.
void holds(FakeServer& server, std::size_t live, std::size_t idle) {
    server.process.report.bins.run_pages = live * kPages;
    server.process.report.source.live_pages = live * kPages;
    server.process.report.source.idle_pages = idle * kPages;
}

TEST(Memory, CountsWhatIsHeldAndWhatIsInUse) {
    FakeServer server;
    server.run("SPAWN COUNT 1000 QUIET position");
    holds(server, 10, 3);
    const auto stats = report(server, "MEMORY STATS");
    EXPECT_EQ(stats["resident_bytes"], 3'000'000);
    EXPECT_EQ(stats["live_bytes"], 10 * kMegabyte);
    EXPECT_EQ(stats["reserved_bytes"], 13 * kMegabyte);
    EXPECT_EQ(stats["idle_bytes"], 3 * kMegabyte);
    EXPECT_EQ(stats["entities"], 1000);
    EXPECT_EQ(stats["world_bytes"], server.world.registry.bytes().live);
    EXPECT_EQ(stats["bytes_per_entity"], server.world.registry.bytes().reserved / 1000);
}

TEST(Memory, HasNoBytesPerEntityInAnEmptyWorld) {
    FakeServer server;
    EXPECT_EQ(report(server, "MEMORY STATS")["bytes_per_entity"], 0);
}

TEST(Memory, TellsWhatAnEntityTakes) {
    FakeServer server;
    server.run("SPAWN position velocity");
    server.run("SPAWN COUNT 20 health");
    EXPECT_EQ(server.run("MEMORY USAGE 0:0"), ":52\r\n") << "12, and twice 8 and 12";
    EXPECT_EQ(server.run("MEMORY USAGE 3:0 SAMPLES 0"), ":28\r\n") << "12, and 8 and 8";
    EXPECT_EQ(52 + 20 * 28U, server.world.registry.bytes().live) << "all of them together";
    server.run("DESTROY 3:0");
    EXPECT_EQ(server.run("MEMORY USAGE 3:0"), "$-1\r\n");
}

TEST(Memory, ListsTheBinsThatHoldPages) {
    FakeServer server;
    server.process.report.bins.bins[2] = {.cell_bytes = 48, .pages = 4, .live_cells = 100, .free_cells = 20};
    server.process.report.bins.run_pages = 2;
    const auto bins = report(server, "MEMORY BINS");
    EXPECT_EQ(bins["large_bytes"], 2 * core::PageSource::kPageBytes);
    ASSERT_EQ(bins["bins"].size(), 1U);
    EXPECT_EQ(bins["bins"][0]["cell_bytes"], 48);
    EXPECT_EQ(bins["bins"][0]["free_cells"], 20);
}

TEST(MemoryDoctor, SaysWhatIsOutOfProportion) {
    FakeServer server;
    holds(server, 100, 0);
    EXPECT_TRUE(std::string(report(server, "MEMORY DOCTOR")).ends_with("Nothing is out of proportion.\n"));
    holds(server, 100, 200);
    const std::string text = report(server, "MEMORY DOCTOR");
    EXPECT_NE(text.find("209.7 MB are kept for reuse"), std::string::npos) << text;
}

}  // namespace
}  // namespace evertick::test
