#include "server/protocol/request_parser.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/protocol/parsing.hpp"

namespace evertick::test {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// ---- what is understood ----

TEST(RequestParser, TakesAnArrayOfBulkStrings) {
    const Found found = parse("*3\r\n$3\r\nGET\r\n$3\r\n0:0\r\n$8\r\nposition\r\n");
    EXPECT_THAT(found.requests, ElementsAre(Words{"GET", "0:0", "position"}));
    EXPECT_EQ(found.end, Status::incomplete);
    EXPECT_FALSE(found.unfinished);
}

TEST(RequestParser, TakesBulkStringsOfAnyBytes) {
    const std::string binary = "\r\n\0*1\r\n\xff\x16\x03"s;
    EXPECT_THAT(parse(resp({"ECHO", binary})).requests, ElementsAre(Words{"ECHO", binary}));
}

TEST(RequestParser, TakesEmptyWords) {
    EXPECT_THAT(parse("*2\r\n$0\r\n\r\n$0\r\n\r\n").requests, ElementsAre(Words{"", ""}));
}

TEST(RequestParser, TakesLinesThatEndInLfOrCrLf) {
    EXPECT_THAT(parse("PING\nECHO a  b\t c\r\n").requests,
                ElementsAre(Words{"PING"}, Words{"ECHO", "a", "b", "c"}));
}

TEST(RequestParser, SkipsBlankLinesAndComments) {
    const Found found = parse("\n\r\n  \t \n# SPAWN\n   # indented\r\nPING # not a comment\n");
    EXPECT_THAT(found.requests, ElementsAre(Words{"PING", "#", "not", "a", "comment"}));
    EXPECT_FALSE(found.unfinished);
}

TEST(RequestParser, SkipsEmptyAndNullArrays) {
    EXPECT_THAT(parse("*0\r\n*-1\r\n*1\r\n$4\r\nPING\r\n*0\r\n").requests, ElementsAre(Words{"PING"}));
}

TEST(RequestParser, TakesPipelinedRequestsOfBothFormsInOrder) {
    const Found found = parse("PING\r\n" + resp({"ECHO", "1"}) + "\r\n" + resp({"ECHO", "2"}) + "ECHO 3\n");
    EXPECT_THAT(found.requests,
                ElementsAre(Words{"PING"}, Words{"ECHO", "1"}, Words{"ECHO", "2"}, Words{"ECHO", "3"}));
}

TEST(RequestParser, TreatsADollarAtTheStartAsALine) {
    EXPECT_THAT(parse("$4\r\nPING\r\n").requests, ElementsAre(Words{"$4"}, Words{"PING"}));
}

TEST(RequestParser, KeepsTheWordsUntilTheNextCall) {
    RequestParser parser({});
    feed(parser, resp({"ECHO", "first"}) + resp({"ECHO", "second"}));
    ASSERT_EQ(parser.next(), Status::request);
    EXPECT_EQ(words_of(parser), (Words{"ECHO", "first"}));
    EXPECT_EQ(parser.pending_bytes(), resp({"ECHO", "second"}).size());
    ASSERT_EQ(parser.next(), Status::request);
    EXPECT_EQ(words_of(parser), (Words{"ECHO", "second"}));
}

TEST(RequestParser, KeepsTheWordsOfAHalfReadArrayWhenTheBufferMoves) {
    RequestParser parser({});
    const Words words{"SET", "0:0", std::string(40'000, 'x'), "position=1,2,3"};
    const std::string bytes = resp(words);
    feed(parser, bytes.substr(0, 20));
    ASSERT_EQ(parser.next(), Status::incomplete);
    feed(parser, bytes.substr(20));  // far more than the first buffer holds
    ASSERT_EQ(parser.next(), Status::request);
    EXPECT_EQ(words_of(parser), words);
}

// ---- the end of input ----

TEST(RequestParser, ReportsAnUnfinishedLine) {
    EXPECT_TRUE(parse("PING\nSPAWN posi").unfinished);
    EXPECT_FALSE(parse("PING\n").unfinished);
}

TEST(RequestParser, ReportsAnUnfinishedArray) {
    EXPECT_TRUE(parse("*").unfinished);
    EXPECT_TRUE(parse("*2\r\n").unfinished);
    EXPECT_TRUE(parse("*2\r\n$4\r\nPING\r\n").unfinished);
    EXPECT_TRUE(parse("*1\r\n$4\r\nPING\r").unfinished);
}

TEST(RequestParser, DoesNotMissTheNewlineOfACommentOrBlanks) {
    EXPECT_FALSE(parse("PING\n# the end").unfinished);
    EXPECT_FALSE(parse("PING\n  \r").unfinished);
}

// ---- what is refused: the bytes, and what the error must say ----

struct Refusal {
    const char* name;
    std::string_view bytes;
    const char* says;
};

void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

class Refused : public ::testing::TestWithParam<Refusal> {};

TEST_P(Refused, WithAnErrorThatSaysWhy) {
    const Found found = parse("PING\n" + std::string(GetParam().bytes));
    EXPECT_THAT(found.requests, ElementsAre(Words{"PING"})) << "what came before is answered";
    EXPECT_EQ(found.end, Status::malformed);
    EXPECT_THAT(found.error, StartsWith("Protocol error: "));
    EXPECT_THAT(found.error, HasSubstr(GetParam().says));
}

constexpr Refusal kRefusals[] = {
    {"CountOfLetters", "*x\r\n", "got 'x'"},
    {"CountMissing", "*\r\n", "got CR"},
    {"CountWithPlus", "*+1\r\n", "got '+'"},
    {"CountNegative", "*-2\r\n", "got '-'"},
    {"CountMinusZero", "*-0\r\n", "got '-'"},
    {"CountMinusLetter", "*-x\r\n", "got '-'"},
    {"CountWithLeadingZero", "*01\r\n", "leading zeros"},
    {"CountNullWithLeadingZero", "*-01\r\n", "leading zeros"},
    {"CountWithLeadingSpace", "* 1\r\n", "got byte 0x20"},
    {"CountWithTrailingSpace", "*1 \r\n", "got byte 0x20"},
    {"CountWithFraction", "*1.0\r\n", "got '.'"},
    {"CountWithoutCr", "*1\n", "got LF"},
    {"CountWithoutLf", "*1\r$", "got '$'"},
    {"CountOverTheLimit", "*262145\r\n", "at most 262144 words (max-arguments)"},
    {"CountOf64Bits", "*18446744073709551617\r\n", "max-arguments"},
    {"WordWithoutDollar", "*2\r\n$4\r\nPING\r\n:1\r\n", "word 2 of 2, got ':'"},
    {"WordThatIsALine", "*1\r\nPING\r\n", "word 1 of 1, got 'P'"},
    {"WordThatIsAnArray", "*1\r\n*1\r\n", "got '*'"},
    {"LengthOfLetters", "*1\r\n$x\r\n", "word 1 of 1"},
    {"LengthMissing", "*1\r\n$\r\n", "got CR"},
    {"LengthNegative", "*1\r\n$-1\r\n", "got '-'"},
    {"LengthWithPlus", "*1\r\n$+4\r\nPING\r\n", "got '+'"},
    {"LengthWithLeadingZero", "*1\r\n$04\r\nPING\r\n", "leading zeros"},
    {"LengthWithSpace", "*1\r\n$4 \r\nPING\r\n", "got byte 0x20"},
    {"LengthWithoutCr", "*1\r\n$4\nPING\r\n", "got LF"},
    {"LengthOverTheLimit", "*1\r\n$1048577\r\n", "1048576 bytes (max-bulk-bytes)"},
    {"LengthOf64Bits", "*1\r\n$18446744073709551620\r\n", "max-bulk-bytes"},
    {"BulkTooLong", "*1\r\n$4\r\nPINGS\r\n", "after the 4 bytes of word 1 of 1, got 'S' CR"},
    {"BulkTooShort", "*1\r\n$6\r\nPING\r\n*1", "expected CR LF after the 6 bytes"},
    {"BulkEndedByLf", "*1\r\n$4\r\nPING\n*", "got LF '*'"},
    {"QuoteNeverClosed", "ECHO \"abc\n", "the \" at byte 6 of the line is never closed"},
    {"SingleQuoteNeverClosed", "ECHO it's\n", "the ' at byte 8 of the line is never closed"},
    {"QuoteFollowedByText", "ECHO \"a\"b\n", "after the closing quote at byte 8"},
    {"QuoteClosedByAnEscapedOne", "ECHO \"abc\\\"\n", "never closed"},
    {"EscapeUnknown", "ECHO \"C:\\dir\"\n", "unknown escape at byte 9"},
    {"EscapeOfHalfAByte", "ECHO \"\\x4\"\n", "unknown escape"},
    {"EscapeAtTheEnd", "ECHO \"\\\n", "unknown escape"},
    {"NulInALine", "ECHO a\0b\n"sv, "NUL byte"},
    {"NulInAComment", "# \0\n"sv, "NUL byte"},
    {"TlsHello", "\x16\x03\x01\x02"sv, "TLS"},
};

INSTANTIATE_TEST_SUITE_P(RequestParser, Refused, ::testing::ValuesIn(kRefusals),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(RequestParser, StaysMalformed) {
    RequestParser parser({});
    feed(parser, "*x\r\nPING\n");
    ASSERT_EQ(parser.next(), Status::malformed);
    const std::string error = parser.error().message;
    feed(parser, "PING\n");
    EXPECT_EQ(parser.next(), Status::malformed);
    EXPECT_EQ(parser.error().message, error);
    EXPECT_THAT(parser.request().words, IsEmpty());
    EXPECT_FALSE(parser.has_unfinished());
}

TEST(RequestParser, TakesAControlByteThatStartsNoTlsHelloAsAWord) {
    EXPECT_TRUE(parse("\x16").unfinished);
    EXPECT_THAT(parse("\x16\x04\n").requests, ElementsAre(Words{"\x16\x04"}));
}

// ---- HTTP ----

TEST(RequestParser, KnowsAnHttpRequestByItsFirstLine) {
    for (const std::string_view line : {"GET / HTTP/1.1\r\n"sv, "POST /x HTTP/1.0\n"sv,
                                        "PRI * HTTP/2.0\r\n"sv, "Host: example.org\r\n"sv, "host:x\n"sv})
        EXPECT_EQ(parse(line).end, Status::http) << line;
}

TEST(RequestParser, TakesNothingThatFollowsAnHttpLine) {
    const Found found = parse("PING\nPOST / HTTP/1.1\r\nShutdown\r\n");
    EXPECT_THAT(found.requests, ElementsAre(Words{"PING"}));
    EXPECT_EQ(found.end, Status::http);
    EXPECT_FALSE(found.unfinished);
}

TEST(RequestParser, DoesNotMistakeCommandsForHttp) {
    for (const std::string_view line : {"GET 0:0\n"sv, "ECHO \"GET / HTTP/1.1\"\n"sv, "HTTP/1.1\n"sv,
                                        " HTTP/1.1\n"sv, "ECHO HTTP/1.x\n"sv, "HOST\n"sv})
        EXPECT_EQ(parse(line).requests.size(), 1U) << line;
}

}  // namespace
}  // namespace evertick::test
