// Records as data: finding, reading, writing and comparing their fields.

#include "core/schema.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/core/creature.hpp"

namespace evertick::core {
namespace {

using test::Creature;
using test::creature_field;
using test::kCreature;

struct Point {
    float x = 0, y = 0;
    std::int32_t layer = 7;

    static consteval auto schema() {
        return describe("point", "a place", field<&Point::x>("x", {.unit = "m", .min = -100, .max = 100}),
                        field<&Point::y>("y", {.unit = "m", .min = -100, .max = 100}),
                        field<&Point::layer>("layer", {.optional = true}));
    }
};
constexpr RecordType kPoint = record_type<Point>();

struct Labels {
    FlagSet<test::Trait> set;
    static consteval auto schema() { return describe("labels", "", field<&Labels::set>("set")); }
};

std::string text_of(std::string_view name, const Creature& creature) {
    std::string out;
    append_text(out, read(creature_field(name), &creature));
    return out;
}

TEST(RecordType, FindsFieldsByTheirExactName) {
    ASSERT_NE(kCreature.find("mood"), nullptr);
    EXPECT_EQ(kCreature.find("mood")->kind, Kind::word);
    EXPECT_EQ(kCreature.find("Mood"), nullptr);
    EXPECT_EQ(kCreature.find(""), nullptr);
}

TEST(Schema, ReadsTheDefaultsOfARecord) {
    const Creature creature;
    EXPECT_EQ(text_of("awake", creature), "true");
    EXPECT_EQ(text_of("charge", creature), "-1");
    EXPECT_EQ(text_of("height", creature), "1.5");
    EXPECT_EQ(text_of("mood", creature), "calm");
    EXPECT_EQ(text_of("traits", creature), "none");
    EXPECT_EQ(text_of("target", creature), "none");
    EXPECT_EQ(text_of("name", creature), "rex");
}

TEST(Schema, SetsAFieldOfEachKind) {
    Creature creature;
    const std::pair<std::string_view, std::string_view> wanted[] = {{"awake", "false"},
                                                                    {"charge", "-5"},
                                                                    {"legs", "8"},
                                                                    {"born", "-77"},
                                                                    {"seed", "18446744073709551615"},
                                                                    {"height", "2.5"},
                                                                    {"mass", "1e+100"},
                                                                    {"mood", "afraid"},
                                                                    {"traits", "winged,venomous"},
                                                                    {"target", "3:1"},
                                                                    {"name", "a, b"}};
    for (const auto& [name, text] : wanted) {
        const auto done = set_field(kCreature, creature_field(name), &creature, text);
        EXPECT_TRUE(done.has_value()) << name << ": " << done.error().message;
        EXPECT_EQ(text_of(name, creature), text);
    }
    EXPECT_EQ(creature.mood, test::Mood::afraid);
    EXPECT_TRUE(creature.traits.has(test::Trait::venomous));
    EXPECT_FALSE(creature.traits.has(test::Trait::horned));
}

TEST(Schema, NamesRecordAndFieldWhenAValueIsRefused) {
    Point point;
    const auto done = set_field(kPoint, kPoint.fields[0], &point, "1e999");
    ASSERT_FALSE(done.has_value());
    EXPECT_EQ(done.error().message, "point.x: '1e999' is too large; expected a number from -100 to 100 (m)");
    EXPECT_EQ(point.x, 0);
}

TEST(Schema, EditsTheFlagsThatAreSet) {
    Creature creature;
    creature.traits.bits = 0b011;
    ASSERT_TRUE(set_field(kCreature, creature_field("traits"), &creature, "-winged,+venomous").has_value());
    EXPECT_EQ(text_of("traits", creature), "horned,venomous");
}

TEST(Schema, SetsAllFieldsInOrder) {
    Point point;
    ASSERT_TRUE(set_all(kPoint, &point, "1,2.5,-3").has_value());
    EXPECT_EQ(point.x, 1);
    EXPECT_EQ(point.y, 2.5F);
    EXPECT_EQ(point.layer, -3);
}

TEST(Schema, LeavesOptionalFieldsAsTheyAre) {
    Point point{.layer = 9};
    ASSERT_TRUE(set_all(kPoint, &point, "1,2").has_value());
    EXPECT_EQ(point.layer, 9);
}

TEST(Schema, NamesTheFieldsWhenTheCountIsWrong) {
    Point point;
    EXPECT_EQ(set_all(kPoint, &point, "1").error().message,
              "point: 1 value is given; expected x,y[,layer] without spaces");
    EXPECT_EQ(set_all(kPoint, &point, "1,2,3,4").error().message,
              "point: 4 values are given; expected x,y[,layer] without spaces");
    EXPECT_EQ(set_all(kPoint, &point, std::string(1'000'000, ',')).error().code, ErrorCode::badarg);
}

TEST(Schema, LeavesTheRecordUntouchedWhenOneOfAllIsRefused) {
    Point point{.x = 5, .y = 6, .layer = 7};
    EXPECT_EQ(set_all(kPoint, &point, "1,2,x").error().message,
              "point.layer: 'x' is not a whole number; expected an integer from -2147483648 to 2147483647");
    EXPECT_EQ(set_all(kPoint, &point, "1,,3").error().message,
              "point.y: '' is not a number such as -0.5; expected a number from -100 to 100 (m)");
    EXPECT_EQ(point.x, 5);
    EXPECT_EQ(point.y, 6);
}

TEST(Schema, GivesARecordOfOneFieldTheWholeText) {
    Labels labels;
    ASSERT_TRUE(set_all(record_type<Labels>(), &labels, "winged,horned").has_value());
    EXPECT_EQ(labels.set.bits, 0b011U);
}

TEST(Schema, KnowsWhetherARecordHoldsWhatAFieldMay) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    for (const float valid : {-100.0F, -0.0F, 1e-45F, 100.0F}) {
        const Point point{.x = valid};
        EXPECT_TRUE(is_valid(*kPoint.find("x"), &point)) << valid;
    }
    for (const float invalid : {-100.1F, 101.0F, kInfinity, -kInfinity, std::nanf("")}) {
        const Point point{.x = invalid};
        EXPECT_FALSE(is_valid(*kPoint.find("x"), &point)) << invalid;
        EXPECT_TRUE(is_valid(*kPoint.find("y"), &point)) << "the other field";
    }
}

TEST(Schema, KnowsWhichWordsAndFlagsThereAre) {
    Creature creature;
    for (const core::Field& field : kCreature.fields) EXPECT_TRUE(is_valid(field, &creature)) << field.name;
    creature.mood = static_cast<test::Mood>(kWords<test::Mood>.size());
    creature.traits.bits = std::uint32_t{1} << kWords<test::Trait>.size();
    EXPECT_FALSE(is_valid(creature_field("mood"), &creature));
    EXPECT_FALSE(is_valid(creature_field("traits"), &creature));
}

TEST(Schema, KnowsTheSizeOfAField) {
    EXPECT_EQ(size_bytes(Kind::boolean), sizeof(bool));
    EXPECT_EQ(size_bytes(Kind::word), sizeof(test::Mood));
    EXPECT_EQ(size_bytes(Kind::f32), sizeof(float));
    EXPECT_EQ(size_bytes(Kind::flags), sizeof(FlagSet<test::Trait>));
    EXPECT_EQ(size_bytes(Kind::handle), sizeof(Handle));
    EXPECT_EQ(size_bytes(Kind::text), 0U) << "it lies elsewhere";
}

TEST(Schema, ComparesNumbersByValue) {
    const FieldValue low = -1.5F, high = 2.0F;
    EXPECT_TRUE(compare(low, Comparison::less, high));
    EXPECT_TRUE(compare(low, Comparison::less_equal, low));
    EXPECT_TRUE(compare(low, Comparison::not_equal, high));
    EXPECT_TRUE(compare(high, Comparison::greater, low));
    EXPECT_TRUE(compare(high, Comparison::greater_equal, high));
    EXPECT_TRUE(compare(FieldValue{0.0}, Comparison::equal, FieldValue{-0.0}));
    EXPECT_FALSE(compare(low, Comparison::equal, high));
}

TEST(Schema, ComparesIntegersOf64BitsExactly) {
    const FieldValue big = std::uint64_t{9007199254740993}, bigger = std::uint64_t{9007199254740994};
    EXPECT_TRUE(compare(big, Comparison::less, bigger)) << "as doubles they would be equal";
    EXPECT_FALSE(compare(big, Comparison::equal, bigger));
}

TEST(Schema, ComparesWordsFlagsAndHandlesByNumber) {
    EXPECT_TRUE(compare(WordValue{1, {}}, Comparison::equal, WordValue{1, {}}));
    EXPECT_TRUE(compare(FlagValue{1, {}}, Comparison::not_equal, FlagValue{3, {}}));
    EXPECT_TRUE(compare(Handle{5}, Comparison::less, Handle{}));
    EXPECT_TRUE(compare(std::string_view("a"), Comparison::less, std::string_view("b")));
    EXPECT_TRUE(compare(true, Comparison::greater, false));
}

TEST(SchemaDeathTest, WriteAbortsOnAValueThatDoesNotFit) {
    Creature creature;
    EXPECT_DEATH(write(creature_field("legs"), &creature, std::uint64_t{1001}), "outside the field's limits");
    EXPECT_DEATH(write(creature_field("height"), &creature, 101.0F), "outside the field's limits");
    EXPECT_DEATH(write(creature_field("height"), &creature, 1.0), "not of the field's kind");
    EXPECT_DEATH(write(creature_field("charge"), &creature, std::int64_t{1} << 40), "does not fit");
}

}  // namespace
}  // namespace evertick::core
