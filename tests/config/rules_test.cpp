#include "config/rules.hpp"

#include <gtest/gtest.h>

#include "tests/config/loading.hpp"

namespace evertick::config {
namespace {

using test::error_of;

TEST(Rules, HoldForTheDefaults) {
    const Loaded defaults;
    EXPECT_TRUE(check_rules(defaults.settings, defaults.origins).has_value());
}

TEST(Rules, NameSettingsThatExist) {
    for (const Rule& rule : rules()) {
        EXPECT_NE(kSettings.find(rule.lesser), nullptr) << rule.lesser;
        EXPECT_NE(kSettings.find(rule.greater), nullptr) << rule.greater;
    }
}

TEST(Rules, NameBothSettingsAndWhereTheirValuesComeFrom) {
    EXPECT_EQ(
        error_of({"--output-soft-limit=64000000"}),
        "output-soft-limit 64000000 (command line) is more than output-hard-limit 33554432 (default): a "
        "client is slowed down before it is disconnected");
    EXPECT_EQ(error_of({"--max-bulk-bytes=2048"}, {"EVERTICK_MAX_PENDING_BYTES=1024"}),
              "max-bulk-bytes 2048 (command line) is more than max-pending-bytes 1024 (environment "
              "EVERTICK_MAX_PENDING_BYTES): the longest word must fit the input that may wait");
}

TEST(Rules, AllowEquality) {
    EXPECT_EQ(error_of({"--output-soft-limit=2048", "--output-hard-limit=2048"}), "accepted");
}

}  // namespace
}  // namespace evertick::config
