// The examples of ecs/README.md: what stands there is the text between each two marks below, word for word.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

// --- README
#include "ecs/registry.hpp"

using namespace evertick;

struct Position {
    float x = 0, y = 0;
};
struct Velocity {
    float x = 0, y = 0;
};
struct Health {
    int current = 10;
};
struct Frozen {};  // a tag: no memory

void tick(ecs::Registry& registry) {
    registry.view<Position, const Velocity>(ecs::exclude<Frozen>)
        .each([](Position& position, const Velocity& velocity) {
            position.x += velocity.x;
            position.y += velocity.y;
        });
    for (auto [entity, health] : registry.view<const Health>())
        if (health.current <= 0) registry.destroy_later(entity);  // invalid from here on
    for (const ecs::Entity dead : registry.pending())
        if (const Position* at = registry.try_get_pending<Position>(dead))
            registry.emplace<Position>(registry.create(), *at);  // leaves something where it fell
    registry.sweep();
}

int hunt() {
    ecs::Registry registry;
    const ecs::Entity wolf = registry.create();  // 0:0
    registry.emplace<Position>(wolf, 1.0F, 2.0F);
    registry.emplace<Velocity>(wolf, 0.5F, 0.0F);
    registry.emplace<Health>(wolf);
    tick(registry);                                              // it moves to 1.5, 2
    registry.get<Health>(wolf).current = 0;                      // get() of what is not there aborts
    tick(registry);                                              // it moves to 2, 2 and dies there
    return registry.try_get<Position>(wolf) == nullptr ? 0 : 1;  // try_get() does not
}
// --- README

// --- README
#include "ecs/command_buffer.hpp"
#include "ecs/observer.hpp"

int watch() {
    ecs::Registry registry;
    int births = 0;
    const ecs::Connection counting = registry.on_construct<Health>().connect(
        [&](ecs::Registry&, ecs::Entity, Health&) { ++births; });  // until `counting` goes
    ecs::Observer watched = ecs::Observer::of<Health>(registry);

    ecs::CommandBuffer later;
    later.emplace<Health>(later.create(), 3);
    later.apply(registry);
    const ecs::Entity deer = later.created()[0];
    registry.patch<Health>(deer, [](Health& health) { health.current -= 3; });

    for (const ecs::Observer::Report& report : watched.drain())
        if (report.has(ecs::Observer::kChanged) && registry.valid(report.entity) &&
            registry.get<Health>(report.entity).current <= 0)
            registry.destroy(report.entity);
    return registry.valid(deer) ? 0 : births;
}

void drift(ecs::Registry& registry) {
    registry.group<Position, const Velocity>().chunks(
        [](std::span<Position> positions, std::span<const Velocity> velocities) {
            for (std::size_t i = 0; i < positions.size(); ++i) positions[i].x += velocities[i].x;
        });
}
// --- README

namespace {

std::string contents(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

// All that stands between a `begin` and the `end` after it, piece by piece.
std::vector<std::string_view> pieces(std::string_view text, std::string_view begin, std::string_view end) {
    std::vector<std::string_view> found;
    for (std::size_t at = 0; (at = text.find(begin, at)) != std::string_view::npos;) {
        const std::size_t first = at + begin.size();
        const std::size_t last = text.find(end, first);
        found.push_back(text.substr(first, last - first));
        at = last + end.size();
    }
    return found;
}

TEST(EcsReadme, ExamplesDoWhatTheySay) {
    EXPECT_EQ(hunt(), 0);
    EXPECT_EQ(watch(), 1);
    ecs::Registry registry;
    const ecs::Entity leaf = registry.create();
    registry.emplace<Position>(leaf, 1.0F, 2.0F);
    registry.emplace<Velocity>(leaf, 0.5F, 0.0F);
    drift(registry);
    EXPECT_EQ(registry.get<Position>(leaf).x, 1.5F);
}

TEST(EcsReadme, ExamplesAreThoseTestedHere) {
    const std::string readme = contents(EVERTICK_SOURCE_DIR "/ecs/README.md");
    const std::string here = contents(EVERTICK_SOURCE_DIR "/tests/ecs/readme_test.cpp");
    EXPECT_EQ(pieces(readme, "```cpp\n", "```"), pieces(here, "// --- README\n", "// --- README\n"));
}

}  // namespace
