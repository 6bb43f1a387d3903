#include "config/environment.hpp"

#include <gtest/gtest.h>

#include <array>

#include "tests/config/loading.hpp"

namespace evertick::config {
namespace {

using test::error_of;
using test::loaded;

TEST(Environment, NamesAVariableAfterItsSetting) {
    EXPECT_EQ(variable_name("port"), "EVERTICK_PORT");
    EXPECT_EQ(variable_name("accepts-per-wake-up"), "EVERTICK_ACCEPTS_PER_WAKE_UP");
}

TEST(Environment, IsReadToItsNullPointer) {
    const std::array<const char*, 3> list{"A=1", "B=2", nullptr};
    EXPECT_EQ(entries(list.data()).size(), 2U);
    EXPECT_EQ(entries(list.data() + 2).size(), 0U);
}

TEST(Environment, SetsSettingsOfEveryKind) {
    const Settings settings = loaded({}, {"EVERTICK_BIND=::1", "EVERTICK_PORT=8000", "EVERTICK_INSECURE=true",
                                          "EVERTICK_TICK_RATE=59.94", "EVERTICK_OVERRUN=slow",
                                          "EVERTICK_SEED=18446744073709551615"})
                                  .settings;
    EXPECT_EQ(settings.bind, "::1");
    EXPECT_EQ(settings.port, 8000U);
    EXPECT_TRUE(settings.insecure);
    EXPECT_EQ(settings.tick_rate_hz, 59.94);
    EXPECT_EQ(settings.overrun, Overrun::slow);
    EXPECT_EQ(settings.seed, 18446744073709551615U);
}

TEST(Environment, LeavesOtherVariablesAlone) {
    EXPECT_EQ(error_of({}, {"PATH=/bin", "evertick_port=1", "EVERTICK=1", "EMPTY=", "=x", ""}), "accepted");
}

TEST(Environment, NamesTheVariableOfABadValue) {
    EXPECT_EQ(
        error_of({}, {"EVERTICK_PORT=tcp://10.0.0.1:7777"}),
        "EVERTICK_PORT: 'tcp://10.0.0.1:7777' is not a whole number; expected an integer from 0 to 65535");
    EXPECT_EQ(error_of({}, {"EVERTICK_TICK_RATE=0.5"}),
              "EVERTICK_TICK_RATE: '0.5' is too small; expected a number from 1 to 1000 (Hz)");
    EXPECT_EQ(error_of({}, {"EVERTICK_INSECURE=1"}),
              "EVERTICK_INSECURE: '1' is not a boolean; expected true or false");
    EXPECT_EQ(error_of({}, {"EVERTICK_PORT="}),
              "EVERTICK_PORT: the value is missing; expected an integer from 0 to 65535");
}

TEST(Environment, NamesTheNearestVariable) {
    EXPECT_EQ(error_of({}, {"EVERTICK_TICKRATE=30"}),
              "unknown environment variable 'EVERTICK_TICKRATE' (did you mean 'EVERTICK_TICK_RATE'?)");
    EXPECT_EQ(error_of({}, {"EVERTICK_port=1"}),
              "unknown environment variable 'EVERTICK_port' (did you mean 'EVERTICK_PORT'?)");
    EXPECT_EQ(error_of({}, {"EVERTICK_SOMETHING_ELSE"}),
              "unknown environment variable 'EVERTICK_SOMETHING_ELSE'; --help lists what there is");
}

TEST(Environment, RefusesAVariableThatIsSetTwice) {
    EXPECT_EQ(error_of({}, {"EVERTICK_PORT=1", "EVERTICK_PORT=1"}),
              "EVERTICK_PORT is set twice in the environment");
}

}  // namespace
}  // namespace evertick::config
