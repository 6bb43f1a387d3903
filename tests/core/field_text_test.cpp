// The text forms of field values: what is read, what is printed, and what the errors say.

#include <gtest/gtest.h>

#include "core/schema.hpp"
#include "tests/core/creature.hpp"

namespace evertick::core {
namespace {

using test::creature_field;

FieldValue value_of(std::string_view name, std::string_view text, std::uint32_t current_flags = 0) {
    const auto value = parse_value(creature_field(name), name, text, current_flags);
    EXPECT_TRUE(value.has_value()) << value.error().message;
    return value.value_or(FieldValue{});
}

std::string error_of(std::string_view name, std::string_view text) {
    const auto value = parse_value(creature_field(name), name, text);
    if (value) return "accepted";
    EXPECT_EQ(value.error().code, ErrorCode::badarg);
    return value.error().message;
}

std::string round_trip(std::string_view name, std::string_view text) {
    std::string out;
    append_text(out, value_of(name, text));
    return out;
}

std::uint32_t flags_of(std::string_view text, std::uint32_t current) {
    return std::get<FlagValue>(value_of("traits", text, current)).bits;
}

TEST(ParseValue, ReadsEachKindAtItsOwnType) {
    EXPECT_TRUE(std::get<bool>(value_of("awake", "true")));
    EXPECT_EQ(std::get<std::int64_t>(value_of("charge", "-3")), -3);
    EXPECT_EQ(std::get<std::uint64_t>(value_of("legs", "6")), 6U);
    EXPECT_EQ(std::get<float>(value_of("height", "0.1")), 0.1F);
    EXPECT_EQ(std::get<double>(value_of("mass", "0.1")), 0.1);
    EXPECT_EQ(std::get<WordValue>(value_of("mood", "afraid")).number, 2);
    EXPECT_EQ(std::get<Handle>(value_of("target", "3:1")).raw, std::uint64_t{1} << 32U | 3U);
    EXPECT_EQ(std::get<std::string_view>(value_of("name", "a b")), "a b");
}

TEST(ParseValue, SaysWhatWasWrongAndWhatWouldBeRight) {
    EXPECT_EQ(error_of("height", "1e999"),
              "height: '1e999' is too large; expected a number from -100 to 100 (m)");
    EXPECT_EQ(error_of("height", "tall"),
              "height: 'tall' is not a number such as -0.5; expected a number from -100 to 100 (m)");
    EXPECT_EQ(error_of("mass", "0"), "mass: '0' is too small; expected a number of at least 0.001 (kg)");
    EXPECT_EQ(error_of("legs", "1.5"),
              "legs: '1.5' is not a whole number; expected an integer from 0 to 1000");
    EXPECT_EQ(error_of("awake", "yes"), "awake: 'yes' is not a boolean; expected true or false");
    EXPECT_EQ(error_of("mood", "Calm"),
              "mood: 'Calm' is unknown (did you mean 'calm'?); expected one of calm, angry, afraid");
    EXPECT_EQ(error_of("target", "me"),
              "target: 'me' is not an entity; expected index:generation such as 3:1, a raw integer, or none");
}

TEST(ParseValue, HoldsFloatsToTheLimitAsWritten) {
    EXPECT_EQ(std::get<float>(value_of("height", "100")), 100.0F);
    EXPECT_EQ(std::get<float>(value_of("height", "-100.000")), -100.0F);
    EXPECT_EQ(error_of("height", "100.0000001"),
              "height: '100.0000001' is too large; expected a number from -100 to 100 (m)")
        << "as a float it would round to the limit";
}

TEST(ParseValue, HoldsIntegersToTheirLimitsExactly) {
    EXPECT_EQ(std::get<std::int64_t>(value_of("born", "-9007199254740992")), -9007199254740992);
    EXPECT_NE(error_of("born", "-9007199254740993"), "accepted") << "as a double it would round to the limit";
    EXPECT_EQ(
        error_of("seed", "18446744073709551616"),
        "seed: '18446744073709551616' is too large; expected an integer from 0 to 18446744073709551615");
    EXPECT_EQ(error_of("legs", "1001"), "legs: '1001' is too large; expected an integer from 0 to 1000");
    EXPECT_EQ(error_of("legs", "-1"), "legs: '-1' is too small; expected an integer from 0 to 1000");
}

TEST(ParseValue, ReadsFlagsAsTheWholeSetOrAsEdits) {
    EXPECT_EQ(flags_of("winged,venomous", 0b010), 0b101U);
    EXPECT_EQ(flags_of("none", 0b111), 0U);
    EXPECT_EQ(flags_of("+winged", 0b010), 0b011U);
    EXPECT_EQ(flags_of("-horned,+venomous", 0b011), 0b101U);
}

TEST(ParseValue, RefusesFlagsThatAreUnknownEmptyOrMixed) {
    constexpr std::string_view kForm =
        "; expected none, or some of winged, horned, venomous joined by commas, or edits of what is set such "
        "as +winged";
    EXPECT_EQ(error_of("traits", "purple"), "traits: flag 'purple' is unknown" + std::string(kForm));
    EXPECT_EQ(error_of("traits", ""), "traits: flag '' is unknown" + std::string(kForm));
    EXPECT_EQ(error_of("traits", "winged,"), "traits: flag '' is unknown" + std::string(kForm));
    EXPECT_EQ(error_of("traits", "winged,none"), "traits: flag 'none' is unknown" + std::string(kForm));
    EXPECT_EQ(error_of("traits", "winged,+horned"),
              "traits: 'winged,+horned' mixes flags with +edits and -edits" + std::string(kForm));
}

TEST(ParseValue, NeverQuotesUnboundedOrControlBytes) {
    const std::string message = error_of("height", "\r\n" + std::string(1'000'000, 'a'));
    EXPECT_LT(message.size(), 300U);
    EXPECT_TRUE(message.starts_with(R"(height: '\x0d\x0aaaa)")) << message;
}

TEST(AppendText, PrintsEachKindSoThatItReadsBack) {
    EXPECT_EQ(round_trip("awake", "false"), "false");
    EXPECT_EQ(round_trip("charge", "-2147483648"), "-2147483648");
    EXPECT_EQ(round_trip("height", "0.1"), "0.1");
    EXPECT_EQ(round_trip("mood", "angry"), "angry");
    EXPECT_EQ(round_trip("traits", "venomous,winged"), "winged,venomous");
    EXPECT_EQ(round_trip("traits", "none"), "none");
    EXPECT_EQ(round_trip("target", "4294967298"), "2:1");
    EXPECT_EQ(round_trip("name", "rex"), "rex");
}

TEST(Handle, ReadsIndexAndGenerationOrTheRawInteger) {
    EXPECT_EQ(parse_handle("none"), Handle{});
    EXPECT_EQ(parse_handle("0:0"), Handle{0});
    EXPECT_EQ(parse_handle("7:3"), Handle{std::uint64_t{3} << 32U | 7U});
    EXPECT_EQ(parse_handle("12884901895"), Handle{std::uint64_t{3} << 32U | 7U});
    for (const std::string_view text :
         {"", ":", "1:", ":1", "+1:0", "1:-0", "1:2:3", "4294967296:0", "0:4294967296",
          "18446744073709551616", "4294967295:4294967295", "18446744073709551615", "1.0", "None", " 1:0"})
        EXPECT_EQ(parse_handle(text), std::nullopt) << text;
}

TEST(AcceptedForm, DescribesLimitsAsAPersonWritesThem) {
    EXPECT_EQ(accepted_form(creature_field("height")), "a number from -100 to 100 (m)");
    EXPECT_EQ(accepted_form(creature_field("charge")), "an integer from -2147483648 to 2147483647");
    EXPECT_EQ(accepted_form(creature_field("born")),
              "an integer from -9007199254740992 to 9223372036854775807");
    EXPECT_EQ(accepted_form(creature_field("name")), "text");
    Field field = creature_field("mass");
    field.info = {.max = 1e6};
    EXPECT_EQ(accepted_form(field), "a number of at most 1000000");
    field.info = {};
    EXPECT_EQ(accepted_form(field), "a number");
}

}  // namespace
}  // namespace evertick::core
