#include "server/log/repeat_filter.hpp"

#include <gtest/gtest.h>

namespace evertick::server {
namespace {

using std::chrono::seconds;

RepeatFilter::TimePoint at(int second) { return RepeatFilter::TimePoint{seconds{1'000'000 + second}}; }

TEST(RepeatFilter, AdmitsTheFirstAndHoldsBackItsEquals) {
    RepeatFilter filter(seconds{10});
    EXPECT_TRUE(filter.admits(Level::info, "a", at(0)));
    EXPECT_FALSE(filter.admits(Level::info, "a", at(0)));
    EXPECT_FALSE(filter.admits(Level::info, "a", at(9)));
    EXPECT_TRUE(filter.admits(Level::info, "b", at(9))) << "another message";
    EXPECT_TRUE(filter.admits(Level::error, "a", at(9))) << "another level";
}

TEST(RepeatFilter, AdmitsAgainWhenTheIntervalIsOverAndTellsTheCount) {
    RepeatFilter filter(seconds{10});
    for (int second = 0; second < 10; ++second) filter.admits(Level::warning, "a", at(second));
    EXPECT_TRUE(filter.admits(Level::warning, "a", at(10)));
    const auto due = filter.take_due(at(10));
    ASSERT_EQ(due.size(), 1U);
    EXPECT_EQ(due[0].message, "a");
    EXPECT_EQ(due[0].level, Level::warning);
    EXPECT_EQ(due[0].count, 9U);
    EXPECT_TRUE(filter.take_due(at(10)).empty()) << "told once";
}

TEST(RepeatFilter, TellsTheCountWithoutAnotherMessage) {
    RepeatFilter filter(seconds{10});
    filter.admits(Level::info, "a", at(0));
    filter.admits(Level::info, "a", at(1));
    EXPECT_TRUE(filter.take_due(at(9)).empty());
    ASSERT_EQ(filter.take_due(at(10)).size(), 1U);
}

TEST(RepeatFilter, SaysNothingOfWhatWasNotRepeated) {
    RepeatFilter filter(seconds{10});
    filter.admits(Level::info, "a", at(0));
    EXPECT_TRUE(filter.take_due(at(100)).empty());
    EXPECT_TRUE(filter.take_all().empty());
}

TEST(RepeatFilter, CollapsesMessagesThatTakeTurns) {
    RepeatFilter filter(seconds{10});
    int admitted = 0;
    for (int i = 0; i < 1000; ++i)
        admitted += filter.admits(Level::info, i % 2 == 0 ? "a" : "b", at(0)) ? 1 : 0;
    EXPECT_EQ(admitted, 2);
    const auto all = filter.take_all();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].count + all[1].count, 998U);
}

TEST(RepeatFilter, LosesNoCountWhenTooManyMessagesAreFresh) {
    RepeatFilter filter(seconds{10});
    std::uint64_t written = 0;
    constexpr int kDistinct = 200;
    for (int i = 0; i < kDistinct * 3; ++i)
        written += filter.admits(Level::info, std::to_string(i / 3), at(0)) ? 1U : 0U;
    std::uint64_t held_back = 0;
    for (const auto& repeated : filter.take_all()) held_back += repeated.count;
    EXPECT_EQ(written, static_cast<std::uint64_t>(kDistinct));
    EXPECT_EQ(written + held_back, static_cast<std::uint64_t>(kDistinct) * 3);
}

TEST(RepeatFilter, EndsTheIntervalWhenTheClockGoesBack) {
    RepeatFilter filter(seconds{10});
    filter.admits(Level::info, "a", at(5000));
    EXPECT_TRUE(filter.admits(Level::info, "a", at(0)));
}

}  // namespace
}  // namespace evertick::server
