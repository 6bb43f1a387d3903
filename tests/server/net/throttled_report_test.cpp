#include "server/net/throttled_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace evertick::test {
namespace {

using ::testing::ElementsAre;

TEST(ThrottledReport, LetsOneLineAMinuteThroughAndCountsTheOthers) {
    std::vector<std::string> lines;
    const auto sink = [&](std::string_view line) { lines.emplace_back(line); };
    net::ThrottledReport report;
    const net::ThrottledReport::TimePoint start{};
    report(sink, "first", start);
    report(sink, "second", start + std::chrono::seconds(1));
    report(sink, "third", start + std::chrono::seconds(59));
    report(sink, "fourth", start + std::chrono::seconds(60));
    report(sink, "fifth", start + std::chrono::seconds(120));
    EXPECT_THAT(lines, ElementsAre("first", "fourth (and 2 more like it before)", "fifth"));
}

TEST(ThrottledReport, NeedsNobodyToListen) {
    net::ThrottledReport report;
    report(nullptr, "unheard", {});
    SUCCEED();
}

}  // namespace
}  // namespace evertick::test
