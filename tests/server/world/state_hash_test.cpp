#include "server/world/state_hash.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "server/world/scenario.hpp"
#include "tests/server/world/spawn.hpp"

namespace evertick::world {
namespace {

using test::spawn;

World reference() {
    World world(42);
    load_reference(world);
    return world;
}

TEST(StateHash, IsTheSameForTheSameCalls) {
    EXPECT_EQ(state_hash(reference()).whole, state_hash(reference()).whole);
}

// The numbers were computed once: what makes them others makes yesterday's records worthless.
TEST(StateHash, OfTheReferenceIsGolden) {
    const StateHash hash = state_hash(reference());
    EXPECT_EQ(hash.whole, 12051783090084562997U);
    EXPECT_EQ(hash.components[kIndexOf<Position>], 12778344164411605109U);
    EXPECT_EQ(hash.components[kIndexOf<Ai>], 6086766520635863372U);
}

TEST(StateHash, SeesEveryPartOfTheState) {
    struct Change {
        std::string what;
        std::function<void(World&)> make;
    };
    const std::vector<Change> changes{
        {"the tick", [](World& world) { ++world.tick; }},
        {"the seed", [](World& world) { ++world.seed; }},
        {"the generator", [](World& world) { world.random.next(); }},
        {"a counter", [](World& world) { ++world.counters.clamped; }},
        {"how often health regenerates", [](World& world) { world.regen_ticks = 2; }},
        {"the wanderers", [](World& world) { world.wanderers = 1; }},
        {"an entity", [](World& world) { world.registry.create(); }},
        {"a generation", [](World& world) { world.registry.destroy(world.registry.create()); }},
        {"a component", [](World& world) { world.registry.emplace<Flags>(world.registry.entity_at(0)); }},
        {"the last bit of a float",
         [](World& world) { world.registry.get<Position>(world.registry.entity_at(0)).x = 1e-45F; }},
        {"the sign of zero",
         [](World& world) { world.registry.get<Position>(world.registry.entity_at(0)).x = -0.0F; }},
        {"a double",
         [](World& world) { world.registry.get<Ai>(world.registry.entity_at(1)).cooldown = 1e-300; }},
        {"an enum",
         [](World& world) { world.registry.get<Ai>(world.registry.entity_at(1)).state = AiState::flee; }},
    };
    const std::uint64_t before = state_hash(reference()).whole;
    for (const Change& change : changes) {
        World world = reference();
        change.make(world);
        EXPECT_NE(state_hash(world).whole, before) << change.what;
    }
}

TEST(StateHash, SeesInWhichOrderSlotsAreReused) {
    const auto hash = [](std::size_t first, std::size_t second) {
        World world(1);
        for (int i = 0; i < 3; ++i) world.registry.create();
        world.registry.destroy(world.registry.entity_at(first));
        world.registry.destroy(world.registry.entity_at(second));
        return state_hash(world).whole;
    };
    EXPECT_EQ(hash(0, 1), hash(0, 1));
    EXPECT_NE(hash(0, 1), hash(1, 0)) << "the next entity is another one";
}

TEST(StateHash, DoesNotSeeHowMemoryLies) {
    World world = reference();
    for (int i = 0; i < 5000; ++i) spawn(world.registry, Position{}, Health{});
    for (std::size_t i = 3; i < 5003; ++i) world.registry.destroy(world.registry.entity_at(i));
    const std::uint64_t before = state_hash(world).whole;
    world.registry.trim();
    EXPECT_EQ(state_hash(world).whole, before);
}

// Between an Ai's state and its range are three bytes that nobody writes.
TEST(StateHash, DoesNotSeeTheBytesBetweenMembers) {
    const auto hash = [](int padding) {
        World world(1);
        const auto entity = spawn(world.registry, Ai{});
        auto* const bytes = reinterpret_cast<unsigned char*>(&world.registry.get<Ai>(entity));
        for (std::size_t i = 1; i < offsetof(Ai, detection_range); ++i)
            bytes[i] = static_cast<unsigned char>(padding);
        return state_hash(world).whole;
    };
    EXPECT_EQ(hash(0), hash(255));
}

TEST(StateHash, SaysWhichComponentDiffers) {
    World world = reference();
    const StateHash before = state_hash(world);
    world.registry.get<Health>(world.registry.entity_at(0)).current = 99;
    const StateHash after = state_hash(world);
    for (std::size_t i = 0; i < component_types().size(); ++i)
        EXPECT_EQ(after.components[i] != before.components[i], i == kIndexOf<Health>)
            << component_types()[i].name;
}

}  // namespace
}  // namespace evertick::world
