#include "server/protocol/line_text.hpp"

#include <gtest/gtest.h>

namespace evertick::test {
namespace {

std::string line_text(std::string_view text) {
    std::string out;
    protocol::append_line_text(out, text);
    return out;
}

TEST(LineText, KeepsPrintableAscii) {
    EXPECT_EQ(line_text("unknown command 'x', try HELP ~\\"), "unknown command 'x', try HELP ~\\");
}

TEST(LineText, EscapesEveryOtherByte) {
    EXPECT_EQ(line_text("a\r\n-ERR b"), "a\\x0d\\x0a-ERR b");
    EXPECT_EQ(line_text({"\0\x1b\x7f\xc3\xa9\xff", 6}), "\\x00\\x1b\\x7f\\xc3\\xa9\\xff");
}

TEST(LineText, CutsWhatIsTooLong) {
    const std::string most(protocol::kMaxLineTextBytes, 'x');
    EXPECT_EQ(line_text(most), most);
    EXPECT_EQ(line_text(most + "y"), most + "...");
}

}  // namespace
}  // namespace evertick::test
