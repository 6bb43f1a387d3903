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

}  // namespace
}  // namespace evertick::config
