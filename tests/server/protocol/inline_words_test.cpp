#include "server/protocol/inline_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace evertick::test {
namespace {

using namespace std::string_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::size_t kMaxWords = 8;

std::vector<std::string> split(std::string line) {
    std::vector<std::string_view> words;
    const auto done = protocol::split_inline(line, kMaxWords, words);
    if (!done) return {"error: " + done.error().message};
    return {words.begin(), words.end()};
}

TEST(InlineWords, AreSeparatedByBlanks) {
    EXPECT_THAT(split("SPAWN position=1,2,3"), ElementsAre("SPAWN", "position=1,2,3"));
    EXPECT_THAT(split(" \ta\t\tb \v\f c\r "), ElementsAre("a", "b", "c"));
}

TEST(InlineWords, AreNoneInABlankLineOrAComment) {
    EXPECT_THAT(split(""), IsEmpty());
    EXPECT_THAT(split(" \t"), IsEmpty());
    EXPECT_THAT(split("# it's \"one"), IsEmpty());
    EXPECT_THAT(split("\t#"), IsEmpty());
}

TEST(InlineWords, KeepAHashThatIsNotTheFirstCharacter) { EXPECT_THAT(split("a #b"), ElementsAre("a", "#b")); }

TEST(InlineWords, MayBeQuoted) {
    EXPECT_THAT(split(R"(ECHO "two words" 'and three more')"),
                ElementsAre("ECHO", "two words", "and three more"));
    EXPECT_THAT(split(R"("" '' "#")"), ElementsAre("", "", "#"));
}

TEST(InlineWords, MayOpenAQuoteInTheMiddle) {
    EXPECT_THAT(split(R"(name="a b" x='c d')"), ElementsAre("name=a b", "x=c d"));
}

TEST(InlineWords, ReplaceEscapesWithinDoubleQuotes) {
    EXPECT_THAT(split(R"("\n\r\t\"\\")"), ElementsAre("\n\r\t\"\\"));
    EXPECT_THAT(split(R"("\x00\x7f\xFf\xaB")"), ElementsAre("\0\x7f\xff\xab"s));
    EXPECT_THAT(split(R"("it's")"), ElementsAre("it's"));
}

TEST(InlineWords, ReplaceOnlyTheQuoteWithinSingleQuotes) {
    EXPECT_THAT(split(R"('it\'s' 'a\nb' 'say "x"' 'a\\b')"),
                ElementsAre("it's", "a\\nb", "say \"x\"", "a\\\\b"));
}

TEST(InlineWords, KeepBackslashesOutsideQuotes) { EXPECT_THAT(split(R"(C:\new)"), ElementsAre("C:\\new")); }

TEST(InlineWords, RefuseAQuoteThatIsNotClosedOrNotFollowedByABlank) {
    EXPECT_THAT(split("a \"b c"), ElementsAre(HasSubstr("the \" at byte 3 of the line is never closed")));
    EXPECT_THAT(split("don't"), ElementsAre(HasSubstr("the ' at byte 4 of the line is never closed")));
    EXPECT_THAT(split("\"a\"b"), ElementsAre(HasSubstr("after the closing quote at byte 3")));
    EXPECT_THAT(split("'a''b'"), ElementsAre(HasSubstr("after the closing quote at byte 3")));
}

TEST(InlineWords, RefuseAnUnknownEscape) {
    for (const std::string escape : {R"(\q)", R"(\x)", R"(\x1)", R"(\xg0)", R"(\0)", R"(\')"})
        EXPECT_THAT(split("\"" + escape + "\""), ElementsAre(HasSubstr("unknown escape at byte 2")))
            << escape;
}

TEST(InlineWords, RefuseMoreThanTheLimit) {
    EXPECT_THAT(split("1 2 3 4 5 6 7 8"), ::testing::SizeIs(8));
    EXPECT_THAT(split("1 2 3 4 5 6 7 8 9"), ElementsAre(HasSubstr("at most 8 words")));
}

TEST(InlineWords, KnowHttp) {
    EXPECT_TRUE(protocol::looks_like_http("GET / HTTP/1.1"));
    EXPECT_TRUE(protocol::looks_like_http("HOST: x"));
    EXPECT_FALSE(protocol::looks_like_http("GET 0:0"));
    EXPECT_FALSE(protocol::looks_like_http(" HTTP/1.1"));
    EXPECT_FALSE(protocol::looks_like_http("hos"));
}

}  // namespace
}  // namespace evertick::test
