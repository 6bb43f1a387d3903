// The example of ecs/README.md: what stands there is the text between the two marks below, word for word.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

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

namespace {

std::string contents(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

// What stands between the first and the second `mark`.
std::string_view between(std::string_view text, std::string_view first, std::string_view second) {
    const std::size_t begin = text.find(first) + first.size();
    return text.substr(begin, text.find(second, begin) - begin);
}

TEST(EcsReadme, ExampleDoesWhatItSays) { EXPECT_EQ(hunt(), 0); }

TEST(EcsReadme, ExampleIsTheOneTestedHere) {
    const std::string readme = contents(EVERTICK_SOURCE_DIR "/ecs/README.md");
    const std::string here = contents(EVERTICK_SOURCE_DIR "/tests/ecs/readme_test.cpp");
    EXPECT_EQ(between(readme, "```cpp\n", "```"), between(here, "// --- README\n", "// --- README"));
}

}  // namespace
