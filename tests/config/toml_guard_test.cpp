#include "config/toml_guard.hpp"

#include <gtest/gtest.h>

namespace evertick::config {
namespace {

TEST(TomlGuard, LetsStringsAndCommentsBe) {
    for (const std::string_view text :
         {"", "a = 1", "a = \"\xc3\xa9\"", "a = '\xc3\xa9'", "# \xc3\xa9", "a = \"\\\"\xc3\xa9\"",
          "\xef\xbb\xbf# a byte order mark", "a = \"\"\"\n\"\xc3\xa9\" \xc3\xa9\n\"\"\" # \xc3\xa9",
          "a = '''\n'\xc3\xa9'\n'''"})
        EXPECT_EQ(find_stray_byte(text), std::nullopt) << text;
}

TEST(TomlGuard, FindsWhatIsOutside) {
    EXPECT_EQ(find_stray_byte("\xc3\xa9 = 1"), 0U);
    EXPECT_EQ(find_stray_byte("a = \xc3\xa9"), 4U);
    EXPECT_EQ(find_stray_byte("a = \"b\" \xc3\xa9"), 8U);
    EXPECT_EQ(find_stray_byte("a = \"\\\\\"\xff"), 8U)
        << "what follows an escaped backslash closes the string";
    EXPECT_EQ(find_stray_byte("# b\n\xc2\xa0"), 4U);
    EXPECT_EQ(find_stray_byte("a = \"\"\"b\"\"\"\xff"), 11U);
}

TEST(TomlGuard, EndsAStringThatIsNotClosedWithItsLine) {
    EXPECT_EQ(find_stray_byte("a = \"b\n\xff"), 7U);
    EXPECT_EQ(find_stray_byte("a = \"b"), std::nullopt);
    EXPECT_EQ(find_stray_byte("a = \"\"\"b\n\xff"), std::nullopt);
    EXPECT_EQ(find_stray_byte("a = \"\\"), std::nullopt);
}

}  // namespace
}  // namespace evertick::config
