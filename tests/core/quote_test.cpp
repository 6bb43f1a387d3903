#include "core/quote.hpp"

#include <gtest/gtest.h>

namespace evertick::core {
namespace {

TEST(Quote, ShowsPlainTextAsItIs) { EXPECT_EQ(quote("tick-rate = 30"), "'tick-rate = 30'"); }

TEST(Quote, EscapesEverythingOutsidePrintableAscii) {
    EXPECT_EQ(quote("a\r\nb\t\x1b[31m\x7f"), R"('a\x0d\x0ab\x09\x1b[31m\x7f')");
    EXPECT_EQ(quote("\xc3\xa9\xff"), R"('\xc3\xa9\xff')");
    EXPECT_EQ(quote(std::string_view("\0", 1)), R"('\x00')");
}

TEST(Quote, ChangesNothingThatIsEscapedAlready) { EXPECT_EQ(quote(R"(a\x0ab)"), R"('a\x0ab')"); }

TEST(Quote, CutsLongText) {
    EXPECT_EQ(quote(std::string(kMaxQuotedBytes, 'a')), "'" + std::string(kMaxQuotedBytes, 'a') + "'");
    EXPECT_EQ(quote(std::string(1'000'000, 'a')), "'" + std::string(kMaxQuotedBytes, 'a') + "...'");
}

TEST(AppendEscaped, AppendsAndCutsWhereTold) {
    std::string out = "peer: ";
    append_escaped(out, "GET / HTTP/1.1\r\n", 5);
    EXPECT_EQ(out, "peer: GET /...");
}

}  // namespace
}  // namespace evertick::core
