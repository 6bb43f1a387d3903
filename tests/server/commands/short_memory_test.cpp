// What a command does when memory runs out, at each of its allocations in turn: all of it, or nothing.

#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <string>

#include "server/world/state_hash.hpp"
#include "tests/core/heap_counter.hpp"
#include "tests/server/commands/fake_server.hpp"

namespace evertick::test {
namespace {

// All that a failing command must leave. A SPAWN that unmakes what it made has used up ids; nothing else.
std::string state_of(const world::World& world, bool with_ids) {
    const world::StateHash hash = world::state_hash(world);
    std::string state = std::to_string(world.registry.alive_count());
    for (const std::uint64_t component : hash.components) state += ' ' + std::to_string(component);
    for (const std::uint64_t word : world.random.state()) state += ' ' + std::to_string(word);
    state += ' ' + std::to_string(world.counters.spawned) + ' ' + std::to_string(world.counters.destroyed);
    return with_ids ? state + ' ' + std::to_string(hash.whole) : state;
}

// Runs the command with each of its allocations failing in turn, each time in a new world.
void expect_all_or_nothing(const std::string& setup, const std::string& command) {
    bool failed = true;
    for (std::size_t others = 0; failed; ++others) {
        const auto server = std::make_unique<FakeServer>();
        server->run(setup);
        const bool with_ids = !command.starts_with("SPAWN");
        const std::string before = state_of(server->world, with_ids);
        std::string reply;
        {
            const FailingHeap heap(others);
            try {
                reply = server->run(command);
            } catch (const std::bad_alloc&) {
                reply = "-OOM its client is closed";
            }
            failed = FailingHeap::has_failed();
        }
        EXPECT_TRUE(!reply.starts_with("-OOM") || state_of(server->world, with_ids) == before)
            << command << " without its allocation after " << others << " others: " << reply;
        ASSERT_LT(others, 1000U) << command << " never has enough";
    }
}

TEST(ShortMemory, LeavesAllOrNothingOfACommand) {
    for (const char* command :
         {"SET 3:0 position=1,2,3 velocity=1,2,3 ai flags=alive renderable.mesh=7 lifetime",
          "HSET 3:0 position.x 1 velocity.x 2 ai.cooldown 3 flags.set alive lifetime.remaining 4",
          "SPAWN position velocity", "SPAWN COUNT 5 health ai", "SPAWN COUNT 2000 AREA 0 0 0 9 9 9 flags",
          "DESTROY 3:0 4:0", "UNSET 3:0 health", "DESTROY WITH health", "CLEAR YES"})
        expect_all_or_nothing("SPAWN COUNT 100 QUIET health=5,10", command);
}

TEST(ShortMemory, LeavesAllOrNothingOfALongCommand) {
    for (const char* command : {"DESTROY WITH health", "DESTROY WHERE health.max=10", "CLEAR YES"})
        expect_all_or_nothing("SPAWN COUNT 30000 QUIET health=5,10", command);
}

// Otherwise a world that has taken all memory could not be emptied.
TEST(ShortMemory, DoesNotKeepClearFromItsWork) {
    bool failed = true;
    for (std::size_t others = 0; failed && others < 100; ++others) {
        const auto server = std::make_unique<FakeServer>();
        server->run("SPAWN COUNT 30000 QUIET health=5,10");
        const FailingHeap heap(others);
        std::string reply;
        try {
            reply = server->run("CLEAR YES");
        } catch (const std::bad_alloc&) {
            continue;  // its client is closed: not the command's doing
        }
        failed = FailingHeap::has_failed();
        EXPECT_EQ(reply, ":30000\r\n") << "without its allocation after " << others << " others";
        EXPECT_EQ(server->world.registry.alive_count(), 0U);
    }
}

}  // namespace
}  // namespace evertick::test
