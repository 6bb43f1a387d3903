#include "config/reload.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace evertick::config {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Settings edited() {
    Settings settings;
    settings.port = 8000;
    settings.tick_rate_hz = 60;
    settings.max_clients = 5;
    settings.log_level = LogLevel::debug;
    settings.log_file = "a.log";
    return settings;
}

TEST(Reload, FindsNothingChangedBetweenEquals) {
    const Changes found = changes(edited(), edited());
    EXPECT_THAT(found.reloadable, IsEmpty());
    EXPECT_THAT(found.needs_restart, IsEmpty());
}

TEST(Reload, TellsWhatCanBeTakenOverAndWhatNeedsARestart) {
    const Changes found = changes(Settings{}, edited());
    EXPECT_THAT(found.reloadable, ElementsAre("tick-rate", "max-clients", "log-level"));
    EXPECT_THAT(found.needs_restart, ElementsAre("port", "log-file"));
}

TEST(Reload, TakesOverOnlyWhatIsReloadable) {
    const Settings now = reloaded(Settings{}, edited());
    EXPECT_EQ(now.tick_rate_hz, 60);
    EXPECT_EQ(now.max_clients, 5U);
    EXPECT_EQ(now.log_level, LogLevel::debug);
    EXPECT_EQ(now.port, 7777U);
    EXPECT_EQ(now.log_file, "");
}

std::string change_error(std::vector<Change> changes) {
    const auto result = changed(Settings{}, changes);
    return result ? "no error" : std::string(core::name(result.error().code)) + " " + result.error().message;
}

TEST(Changed, TakesAllChangesTogether) {
    // Each alone would break the rule that the soft limit is the lesser.
    const std::vector<Change> changes{{"output-soft-limit", "100000000"}, {"output-hard-limit", "200000000"}};
    const auto now = changed(Settings{}, changes);
    ASSERT_TRUE(now) << now.error().message;
    EXPECT_EQ(now->output_soft_limit_bytes, 100'000'000U);
    EXPECT_EQ(now->output_hard_limit_bytes, 200'000'000U);
}

TEST(Changed, SaysWhatIsWrong) {
    EXPECT_EQ(change_error({{"tick-rat", "60"}}),
              "BADARG unknown setting 'tick-rat' (did you mean 'tick-rate'?)");
    EXPECT_EQ(change_error({{"port", "8000"}}),
              "ERR port needs a restart to change: give it in the file, the environment or the command line");
    EXPECT_EQ(change_error({{"frobnicate", "1"}}),
              "BADARG unknown setting 'frobnicate'; CONFIG GET * lists what there is");
    EXPECT_EQ(change_error({{"tick-rate", "60"}, {"tick-rate", "60"}}), "BADARG tick-rate is given twice");
    EXPECT_EQ(change_error({{"tick-rate", "fast"}}),
              "BADARG tick-rate: 'fast' is not a number such as -0.5; expected a number from 1 to 1000 (Hz)");
    EXPECT_EQ(change_error({{"log-level", ""}}),
              "BADARG log-level: '' is unknown; expected one of trace, debug, info, warning, error");
    EXPECT_EQ(change_error({{"output-soft-limit", "100000000"}}),
              "BADARG output-soft-limit 100000000 (as given) is more than output-hard-limit 33554432 (as it "
              "runs): a client is slowed down before it is disconnected");
}

}  // namespace
}  // namespace evertick::config
