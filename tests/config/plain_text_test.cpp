#include "config/plain_text.hpp"

#include <gtest/gtest.h>

namespace evertick::config {
namespace {

TEST(PlainText, TakesEveryLengthOfCharacter) {
    EXPECT_TRUE(is_plain_text(""));
    EXPECT_TRUE(is_plain_text("/var/log/evertick \"a\" \\ ~"));
    EXPECT_TRUE(is_plain_text("\xc2\xa0\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\x8d\xf4\x8f\xbf\xbf"));
}

TEST(PlainText, RefusesControlCharacters) {
    for (const std::string_view text : {"a\nb", "\x1b[31m", "\x7f", "\xc2\x85", "\xc2\x9f"})
        EXPECT_FALSE(is_plain_text(text)) << testing::PrintToString(text);
    EXPECT_FALSE(is_plain_text(std::string_view("a\0b", 3)));
}

TEST(PlainText, RefusesWhatIsNoUtf8) {
    for (const std::string_view text :
         {"\x80", "\xc3", "\xc3(", "\xe2\x82", "\xff", "\xfe", "\xc0\xaf", "\xe0\x80\xaf", "\xf0\x80\x80\xaf",
          "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80"})
        EXPECT_FALSE(is_plain_text(text)) << testing::PrintToString(text);
}

}  // namespace
}  // namespace evertick::config
