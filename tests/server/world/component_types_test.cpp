#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/schema.hpp"
#include "server/world/component_type.hpp"
#include "server/world/components.hpp"

namespace evertick::world {
namespace {

const ComponentType& type_of(std::string_view name) {
    return component_types()[find_component(name).value()];
}

TEST(ComponentTypes, StandInDeclarationOrder) {
    std::vector<std::string_view> names;
    for (const ComponentType& type : component_types()) names.push_back(type.name);
    EXPECT_EQ(names, (std::vector<std::string_view>{"position", "velocity", "rotation", "health",
                                                    "renderable", "ai", "flags", "lifetime"}));
}

TEST(ComponentTypes, AreFoundByNameOnly) {
    EXPECT_EQ(find_component("position"), ComponentIndex{0});
    EXPECT_EQ(find_component("lifetime"), ComponentIndex{7});
    EXPECT_EQ(find_component("Position"), std::nullopt);
    EXPECT_EQ(find_component(""), std::nullopt);
}

TEST(ComponentTypes, HaveDefaultsWithinTheirOwnLimits) {
    for (const ComponentType& type : component_types()) {
        std::vector<std::byte> record(type.size_bytes);
        std::copy_n(static_cast<const std::byte*>(type.defaults), type.size_bytes, record.data());
        for (const core::Field& field : type.fields) {
            std::string text;
            core::append_text(text, core::read(field, type.defaults));
            EXPECT_TRUE(core::set_field(type, field, record.data(), text))
                << type.name << "." << field.name << " refuses its default " << text;
        }
    }
}

TEST(ComponentTypes, EveryFieldIsExplained) {
    for (const ComponentType& type : component_types()) {
        EXPECT_FALSE(type.help.empty()) << type.name;
        EXPECT_FALSE(type.fields.empty()) << type.name;
        EXPECT_LE(type.fields.size(), 32U) << type.name << ": field sets are 32-bit masks";
    }
}

TEST(ComponentTypes, AddGivesDefaultsOnceAndThenWhatIsThere) {
    ecs::Registry registry;
    const ecs::Entity entity = registry.create();
    const ComponentType& health = type_of("health");
    auto* const added = static_cast<Health*>(health.add(registry, entity));
    EXPECT_EQ(added->current, 100);
    added->current = 7;
    EXPECT_EQ(static_cast<Health*>(health.add(registry, entity))->current, 7);
    EXPECT_EQ(health.count(registry), 1U);
}

TEST(ComponentTypes, GetAndPeekAnswerNullForWhatIsNotThere) {
    ecs::Registry registry;
    const ecs::Entity bare = registry.create();
    const ecs::Entity gone = registry.create();
    type_of("ai").add(registry, gone);
    registry.destroy(gone);
    for (const ecs::Entity entity : {bare, gone, ecs::Entity{}}) {
        EXPECT_EQ(type_of("ai").get(registry, entity), nullptr);
        EXPECT_EQ(type_of("ai").peek(registry, entity), nullptr);
    }
}

TEST(ComponentTypes, RemoveSaysWhetherThereWasOne) {
    ecs::Registry registry;
    const ecs::Entity entity = registry.create();
    const ComponentType& lifetime = type_of("lifetime");
    lifetime.add(registry, entity);
    EXPECT_TRUE(lifetime.remove(registry, entity));
    EXPECT_FALSE(lifetime.remove(registry, entity));
    EXPECT_EQ(lifetime.count(registry), 0U);
}

TEST(ComponentTypes, ReadAndWriteTheRealComponent) {
    ecs::Registry registry;
    const ecs::Entity entity = registry.create();
    void* const record = type_of("ai").add(registry, entity);
    ASSERT_TRUE(core::set_all(type_of("ai"), record, "chase,5:2,12.5"));
    const Ai& mind = registry.get<Ai>(entity);
    EXPECT_EQ(mind.state, AiState::chase);
    EXPECT_EQ(mind.target.raw, (std::uint64_t{2} << 32) | 5);
    EXPECT_EQ(mind.detection_range, 12.5F);
    EXPECT_EQ(mind.cooldown, 0);
}

TEST(ComponentTypes, RefuseWhatIsBeyondTheWorld) {
    Position position{.x = 1, .y = 2, .z = 3};
    const auto& type = type_of("position");
    EXPECT_TRUE(core::set_field(type, type.fields[0], &position, "33554432"));
    EXPECT_FALSE(core::set_field(type, type.fields[0], &position, "-33554436"));
    EXPECT_EQ(position.x, kWorldLimit);
}

TEST(ComponentTypes, AreFoundOnAnEntity) {
    ecs::Registry registry;
    const ecs::Entity entity = registry.create();
    EXPECT_EQ(components_of(registry, entity), 0U);
    registry.emplace<Health>(entity);
    registry.emplace<Position>(entity);
    struct Other {};
    registry.emplace<Other>(entity);
    EXPECT_EQ(components_of(registry, entity),
              ComponentMask{1} << kIndexOf<Health> | ComponentMask{1} << kIndexOf<Position>)
        << "and nothing that is no component of the world";
    EXPECT_EQ(remove_components(registry, entity, ~ComponentMask{0} >> (32 - component_types().size())), 2U);
    registry.destroy(entity);
    EXPECT_EQ(components_of(registry, entity), 0U) << "it is gone";
}

}  // namespace
}  // namespace evertick::world
