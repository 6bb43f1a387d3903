#include "server/protocol/json_text.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "tests/server/protocol/json_reading.hpp"

namespace evertick::test {
namespace {

std::string json_string(std::string_view bytes) {
    std::string out;
    protocol::append_json_string(out, bytes);
    return out;
}

TEST(JsonText, QuotesPlainText) {
    EXPECT_EQ(json_string(""), R"("")");
    EXPECT_EQ(json_string("position=1,2,3 ~ /"), R"("position=1,2,3 ~ /")");
}

TEST(JsonText, EscapesQuotesBackslashesAndControls) {
    EXPECT_EQ(json_string("\"\\\n\r\t"), R"("\"\\\n\r\t")");
    EXPECT_EQ(json_string({"\0\x01\x1f", 3}), R"("\u0000\u0001\u001f")");
}

TEST(JsonText, KeepsWellFormedUtf8) {
    for (const std::string_view text :
         {"\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80", "\xef\xbf\xbf",
          "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "f\xc3\xbcr"})
        EXPECT_EQ(json_string(text), "\"" + std::string(text) + "\"");
}

TEST(JsonText, ReplacesEachByteThatIsNotUtf8) {
    const std::string mark = "\xef\xbf\xbd";
    EXPECT_EQ(json_string("a\xff"
                          "b"),
              "\"a" + mark + "b\"");
    EXPECT_EQ(json_string("\x80"), "\"" + mark + "\"") << "a continuation without its lead";
    EXPECT_EQ(json_string("\xc3"), "\"" + mark + "\"") << "a lead at the end";
    EXPECT_EQ(json_string("\xc0\x80"), "\"" + mark + mark + "\"") << "an overlong NUL";
    EXPECT_EQ(json_string("\xe0\x9f\xbf"), "\"" + mark + mark + mark + "\"") << "an overlong form";
    EXPECT_EQ(json_string("\xed\xa0\x80"), "\"" + mark + mark + mark + "\"") << "a surrogate";
    EXPECT_EQ(json_string("\xf4\x90\x80\x80"), "\"" + mark + mark + mark + mark + "\"") << "above U+10FFFF";
    EXPECT_EQ(json_string("\xe2\x82(\xe2\x82\xac"), "\"" + mark + mark + "(\xe2\x82\xac\"")
        << "a broken and a whole one";
}

// The oracle: a parser accepts the text, and what it reads back is the bytes when they were UTF-8.
TEST(JsonText, IsValidForRandomBytes) {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        core::Random random(seed);
        std::string bytes(random.below(40), '\0');
        const bool mostly_text = random.below(2) == 0;
        for (char& c : bytes)
            c = static_cast<char>(mostly_text && random.below(8) != 0 ? 'a' : random.below(256));
        const std::string text = json_string(bytes);
        const auto strings = read_json(text);
        ASSERT_TRUE(strings && strings->size() == 1) << text;
        const std::string& back = strings->front();
        ASSERT_TRUE(back == bytes || back.contains("\xef\xbf\xbd")) << text;
        ASSERT_FALSE(text.contains('\n')) << text;
    }
}

}  // namespace
}  // namespace evertick::test
