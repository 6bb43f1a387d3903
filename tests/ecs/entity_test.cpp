// What a handle is: its bits, its order, its text form, and that a component may hold one.

#include "ecs/entity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <set>
#include <unordered_set>

#include "core/schema.hpp"
#include "tests/ecs/printing.hpp"

namespace evertick::ecs {
namespace {

using ::testing::ElementsAre;
using Entity32 = BasicEntity<std::uint32_t>;
using Entity16 = BasicEntity<std::uint16_t>;

TEST(Entity, Has32BitsOfIndexBelow32BitsOfGeneration) {
    const Entity entity = Entity::from(7, 3);
    EXPECT_EQ(entity.raw, std::uint64_t{3} << 32 | 7);
    EXPECT_EQ(entity.index(), 7U);
    EXPECT_EQ(entity.generation(), 3U);
    static_assert(sizeof(Entity) == 8);
}

TEST(Entity, Of32BitsHas20BitsOfIndexAnd12OfGeneration) {
    const Entity32 entity = Entity32::from(0xabcde, 0xfed);
    EXPECT_EQ(entity.raw, 0xfedabcdeU);
    EXPECT_EQ(entity.index(), 0xabcdeU);
    EXPECT_EQ(entity.generation(), 0xfedU);
    EXPECT_EQ(Entity32::kNullIndex, 0xfffffU);
    EXPECT_EQ(Entity32::kMaxGeneration, 0xfffU);
    static_assert(sizeof(Entity32) == 4);
}

TEST(Entity, NullIsAllOnesAndTheDefault) {
    EXPECT_EQ(Entity::null.raw, std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(Entity{}, Entity::null);
    EXPECT_EQ(Entity32::null.raw, std::numeric_limits<std::uint32_t>::max());
    EXPECT_NE(Entity::from(0, 0), Entity::null);
}

TEST(EntityDeathTest, FromRefusesWhatDoesNotFit) {
    EXPECT_DEATH(Entity32::from(1U << 20, 0), "BasicEntity::from: too large");
    EXPECT_DEATH(Entity32::from(0, 1U << 12), "BasicEntity::from: too large");
}

TEST(Entity, IsAKeyOfOrderedAndHashedSets) {
    const std::set<Entity> ordered{Entity::from(2, 0), Entity::from(1, 1), Entity::from(1, 0)};
    EXPECT_THAT(ordered, ElementsAre(Entity::from(1, 0), Entity::from(2, 0), Entity::from(1, 1)));
    const std::unordered_set<Entity> hashed(ordered.begin(), ordered.end());
    EXPECT_TRUE(hashed.contains(Entity::from(1, 1)));
    EXPECT_FALSE(hashed.contains(Entity::from(2, 1)));
}

TEST(Entity, TextFormIsIndexColonGeneration) {
    EXPECT_EQ(to_text(Entity::from(7, 3)), "7:3");
    EXPECT_EQ(to_text(Entity::null), "none");
    EXPECT_EQ(to_text(Entity32::null), "none");
    EXPECT_EQ(to_text(Entity32::from(1048574, 4095)), "1048574:4095");
}

TEST(Entity, TextFormReadsBack) {
    EXPECT_EQ(parse_entity("7:3"), Entity::from(7, 3));
    EXPECT_EQ(parse_entity("4294967303"), Entity::from(7, 1));  // the raw integer
    EXPECT_EQ(parse_entity("none"), Entity::null);
    EXPECT_EQ(parse_entity<Entity32>("7:3"), Entity32::from(7, 3));
    EXPECT_EQ(parse_entity<Entity32>("none"), Entity32::null);
}

TEST(Entity, TextThatIsNoHandleReadsAsNothing) {
    for (const char* text : {"", "7:", ":3", "7:3:1", "seven:3", "-1:0", "4294967296:0", "0:4294967296"})
        EXPECT_EQ(parse_entity(text), std::nullopt) << "for '" << text << "'";
    EXPECT_EQ(parse_entity<Entity32>("1048576:0"), std::nullopt) << "21 bits of index";
    EXPECT_EQ(parse_entity<Entity16>("0:16"), std::nullopt) << "5 bits of generation";
}

struct Hunter {
    Entity prey;
    static consteval auto schema() {
        return core::describe("hunter", "who hunts whom", core::field<&Hunter::prey>("prey"));
    }
};

TEST(Entity, IsAFieldOfAComponentThatReadsAndWritesAsAHandle) {
    constexpr core::RecordType kHunter = core::record_type<Hunter>();
    const core::Field& prey = *kHunter.find("prey");
    EXPECT_EQ(prey.kind, core::Kind::handle);
    Hunter hunter;
    ASSERT_TRUE(core::set_field(kHunter, prey, &hunter, "7:3").has_value());
    EXPECT_EQ(hunter.prey, Entity::from(7, 3));
    std::string text;
    core::append_text(text, core::read(prey, &hunter));
    EXPECT_EQ(text, "7:3");
}

}  // namespace
}  // namespace evertick::ecs
