#include "server/commands/arguments.hpp"

#include <gtest/gtest.h>

namespace evertick::commands {
namespace {

TEST(ParseWhole, TakesDigitsWithinItsLimits) {
    EXPECT_EQ(parse_whole("n", "0005", 1, 10), 5U);
    for (const char* bad : {"", "0", "11", "1.0", "1e1", " 5", "5 ", "five", "-1", "99999999999999999999999"})
        EXPECT_FALSE(parse_whole("n", bad, 1, 10)) << "'" << bad << "'";
}

TEST(ParsePoint, NamesTheAxisThatIsWrong) {
    const std::array<std::string_view, 3> words{"1", "2", "up"};
    const auto point = parse_point("NEAR", words);
    ASSERT_FALSE(point);
    EXPECT_TRUE(point.error().message.starts_with("NEAR z")) << point.error().message;
}

TEST(ParseEntity, TakesBothFormsOfAHandle) {
    EXPECT_EQ(parse_entity("3:1")->raw, (std::uint64_t{1} << 32) + 3);
    EXPECT_EQ(parse_entity("4294967299")->raw, (std::uint64_t{1} << 32) + 3);
    for (const char* bad : {"", ":", "3:", ":1", "3:1:2", "-3:1", "3:1x", "none", "99999999999:0", "0x3"})
        EXPECT_FALSE(parse_entity(bad)) << "'" << bad << "'";
}

TEST(ParseComponents, TakesNamesJoinedByCommas) {
    EXPECT_EQ(parse_components("WITH", "position,velocity"), 3U);
    for (const char* bad : {"", "position,", ",position", "position, velocity"})
        EXPECT_FALSE(parse_components("WITH", bad)) << "'" << bad << "'";
}

TEST(ParsePath, TellsAComponentFromAField) {
    EXPECT_EQ(parse_path("position")->field, nullptr);
    EXPECT_EQ(parse_path("position.x")->field->name, "x");
    for (const char* bad : {"position.", "position.x.y", ".x", "Position"})
        EXPECT_FALSE(parse_path(bad)) << bad;
}

}  // namespace
}  // namespace evertick::commands
