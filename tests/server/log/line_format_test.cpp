#include "server/log/line_format.hpp"

#include <gtest/gtest.h>

namespace evertick::server {
namespace {

using std::chrono::milliseconds;
using TimePoint = std::chrono::system_clock::time_point;

constexpr TimePoint kTime{milliseconds{1'717'747'750'123}};

TEST(Timestamp, IsUtcWithMilliseconds) {
    EXPECT_EQ(timestamp(kTime), "2024-06-07T08:09:10.123Z");
    EXPECT_EQ(timestamp(TimePoint{}), "1970-01-01T00:00:00.000Z");
    EXPECT_EQ(timestamp(TimePoint{milliseconds{-1}}), "1969-12-31T23:59:59.999Z");
}

TEST(TextLine, AlignsTheMessages) {
    EXPECT_EQ(text_line(kTime, Level::info, "ready"), "2024-06-07T08:09:10.123Z info    ready\n");
    EXPECT_EQ(text_line(kTime, Level::warning, "ready"), "2024-06-07T08:09:10.123Z warning ready\n");
}

TEST(JsonLine, EscapesWhatAJsonStringCannotHold) {
    EXPECT_EQ(
        json_line(kTime, Level::error, R"(a "b" \x0a)"),
        "{\"time\":\"2024-06-07T08:09:10.123Z\",\"level\":\"error\",\"message\":\"a \\\"b\\\" \\\\x0a\"}\n");
}

}  // namespace
}  // namespace evertick::server
