// Every path on which a component comes, changes or goes: each fires each listener exactly once.

#include <gtest/gtest.h>

#include <functional>
#include <iterator>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "ecs/command_buffer.hpp"
#include "ecs/registry.hpp"
#include "tests/ecs/parts.hpp"
#include "tests/ecs/printing.hpp"

namespace evertick::ecs {
namespace {

using test::Name;
using test::Position;

// How often listeners were called.
struct Heard {
    int construct = 0;
    int update = 0;
    int destroy = 0;
    bool operator==(const Heard&) const = default;
};

void PrintTo(const Heard& heard, std::ostream* out) {
    *out << heard.construct << " constructed, " << heard.update << " updated, " << heard.destroy
         << " destroyed";
}

// One path: what is done to a registry of two entities, `with` a name and a position and `without`.
struct Path {
    std::string name;
    std::function<void(Registry&, Entity with, Entity without)> take;
    Heard expected;  // of listeners to Name
};

void PrintTo(const Path& path, std::ostream* out) { *out << path.name; }

const std::vector<Path>& paths() {
    static const std::vector<Path> all = {
        {"Emplace", [](Registry& r, Entity, Entity without) { r.emplace<Name>(without, "new"); }, {1, 0, 0}},
        {"TryEmplace",
         [](Registry& r, Entity, Entity without) { r.try_emplace<Name>(without, "new"); },
         {1, 0, 0}},
        {"TryEmplaceOnOneThatHasIt",
         [](Registry& r, Entity with, Entity) { r.try_emplace<Name>(with, "no"); },
         {}},
        {"EmplaceOrReplaceNew",
         [](Registry& r, Entity, Entity without) { r.emplace_or_replace<Name>(without, "new"); },
         {1, 0, 0}},
        {"EmplaceOrReplaceExisting",
         [](Registry& r, Entity with, Entity) { r.emplace_or_replace<Name>(with, "other"); },
         {0, 1, 0}},
        {"EmplaceRange",
         [](Registry& r, Entity, Entity without) {
             std::vector<Entity> entities{without};
             r.create(2, std::back_inserter(entities));
             r.emplace<Name>(entities, "the same");
         },
         {3, 0, 0}},
        {"Replace", [](Registry& r, Entity with, Entity) { r.replace<Name>(with, "other"); }, {0, 1, 0}},
        {"Patch", [](Registry& r, Entity with, Entity) { r.patch<Name>(with, [](Name&) {}); }, {0, 1, 0}},
        {"Clone", [](Registry& r, Entity with, Entity) { r.clone(with); }, {1, 0, 0}},
        {"Remove", [](Registry& r, Entity with, Entity) { r.remove<Name>(with); }, {0, 0, 1}},
        {"RemoveTwice",
         [](Registry& r, Entity with, Entity) {
             r.remove<Name>(with);
             r.remove<Name>(with);
         },
         {0, 0, 1}},
        {"RemoveWhatIsNotThere", [](Registry& r, Entity, Entity without) { r.remove<Name>(without); }, {}},
        {"RemoveAnotherType", [](Registry& r, Entity with, Entity) { r.remove<Position>(with); }, {}},
        {"Destroy", [](Registry& r, Entity with, Entity) { r.destroy(with); }, {0, 0, 1}},
        {"DestroyTwice",
         [](Registry& r, Entity with, Entity) {
             r.destroy(with);
             r.destroy(with);
         },
         {0, 0, 1}},
        {"DestroyRange",
         [](Registry& r, Entity with, Entity without) { r.destroy(std::vector{with, without, with}); },
         {0, 0, 1}},
        {"DestroyLater", [](Registry& r, Entity with, Entity) { r.destroy_later(with); }, {}},
        {"DestroyLaterAndSweep",
         [](Registry& r, Entity with, Entity) {
             r.destroy_later(with);
             r.sweep();
             r.sweep();
         },
         {0, 0, 1}},
        {"Clear", [](Registry& r, Entity, Entity) { r.clear(); }, {0, 0, 1}},
        {"DestroyLaterAndClear",
         [](Registry& r, Entity with, Entity) {
             r.destroy_later(with);
             r.clear();
             r.sweep();
         },
         {0, 0, 1}},
        {"CommandBufferAdds",
         [](Registry& r, Entity, Entity without) {
             CommandBuffer commands;
             commands.emplace<Name>(commands.create(), "created");
             commands.emplace<Name>(without, "new");
             commands.apply(r);
         },
         {2, 0, 0}},
        {"CommandBufferRemoves",
         [](Registry& r, Entity with, Entity) {
             CommandBuffer commands;
             commands.remove<Name>(with);
             commands.destroy(with);
             commands.apply(r);
         },
         {0, 0, 1}},
        {"Moved",
         [](Registry& r, Entity with, Entity) {
             Registry moved = std::move(r);
             moved.remove<Name>(with);
             r.emplace<Name>(r.create());  // NOLINT(bugprone-use-after-move): it is empty and nobody listens
             r.clear();
         },
         {0, 0, 1}},
        {"CreateSortTrim",
         [](Registry& r, Entity, Entity) {
             r.create();
             r.sort<Name>([](const Name& a, const Name& b) { return a.text < b.text; });
             r.trim();
         },
         {}},
        {"InsideAView",
         [](Registry& r, Entity, Entity without) {
             r.emplace<Name>(without, "second");
             r.view<Name>().each([&](Entity entity, Name&) { r.remove<Name>(entity); });
         },
         {1, 0, 2}},
        {"InAGroup",
         [](Registry& r, Entity with, Entity without) {
             r.group<Name, Position>();
             r.emplace<Position>(without);
             r.emplace<Name>(without, "joins");
             r.remove<Position>(with);
             r.destroy(with);
         },
         {1, 0, 1}},
    };
    return all;
}

class SignalPaths : public ::testing::TestWithParam<Path> {};

TEST_P(SignalPaths, FireEachListenerOnce) {
    Registry registry;
    const Entity with = registry.create();
    const Entity without = registry.create();
    registry.emplace<Name>(with, "name");
    registry.emplace<Position>(with);
    Heard first, second;
    std::vector<Connection> connections;
    for (Heard* heard : {&first, &second}) {
        const auto count = [](int& calls) { return [&calls](Registry&, Entity, Name&) { ++calls; }; };
        connections.push_back(registry.on_construct<Name>().connect(count(heard->construct)));
        connections.push_back(registry.on_update<Name>().connect(count(heard->update)));
        connections.push_back(registry.on_destroy<Name>().connect(count(heard->destroy)));
    }
    GetParam().take(registry, with, without);
    EXPECT_EQ(first, GetParam().expected);
    EXPECT_EQ(second, GetParam().expected) << "every listener hears the same";
    registry.check_invariants();
}

// What each listener finds: after construct it is there, after destroy it is not, but can still be read.
TEST_P(SignalPaths, FireWhenTheRegistryHasChanged) {
    Registry registry;
    const Entity with = registry.create();
    const Entity without = registry.create();
    registry.emplace<Name>(with, "name");
    registry.emplace<Position>(with);
    const auto is_there = [](Registry& where, Entity entity, Name& name) {
        EXPECT_EQ(where.try_get<Name>(entity), &name) << to_text(entity);
        where.check_invariants();
    };
    const Connection constructed = registry.on_construct<Name>().connect(is_there);
    const Connection updated = registry.on_update<Name>().connect(is_there);
    const Connection destroyed =
        registry.on_destroy<Name>().connect([](Registry& where, Entity entity, Name& name) {
            EXPECT_FALSE(where.has<Name>(entity)) << to_text(entity);
            EXPECT_FALSE(name.text.empty()) << "not destructed yet";
            where.check_invariants();
        });
    GetParam().take(registry, with, without);
}

INSTANTIATE_TEST_SUITE_P(AllPaths, SignalPaths, ::testing::ValuesIn(paths()),
                         [](const auto& path) { return path.param.name; });

}  // namespace
}  // namespace evertick::ecs
