#include "core/nearest_name.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace evertick::core {
namespace {

constexpr std::array<std::string_view, 6> kNames{"position", "velocity", "health", "tick-rate", "x", "y"};

TEST(NearestName, ForgivesOneEditOfEachKind) {
    EXPECT_EQ(nearest_name("positon", kNames), "position") << "a letter left out";
    EXPECT_EQ(nearest_name("possition", kNames), "position") << "a letter added";
    EXPECT_EQ(nearest_name("pozition", kNames), "position") << "a letter replaced";
    EXPECT_EQ(nearest_name("psoition", kNames), "position") << "two letters swapped";
    EXPECT_EQ(nearest_name("tick_rate", kNames), "tick-rate");
}

TEST(NearestName, ForgivesCase) {
    EXPECT_EQ(nearest_name("HEALTH", kNames), "health");
    EXPECT_EQ(nearest_name("helth", std::array<std::string_view, 1>{"HEALTH"}), "HEALTH");
}

TEST(NearestName, SaysNothingWhenNothingIsNear) {
    EXPECT_EQ(nearest_name("renderable", kNames), "");
    EXPECT_EQ(nearest_name("w", kNames), "") << "one letter resembles nothing";
    EXPECT_EQ(nearest_name("", kNames), "");
    EXPECT_EQ(nearest_name("health", {}), "");
}

TEST(NearestName, PrefersTheNearestAndThenTheFirst) {
    constexpr std::array<std::string_view, 3> kCommands{"STOP", "STEP", "STOPS"};
    EXPECT_EQ(nearest_name("STEPP", kCommands), "STEP");
    EXPECT_EQ(nearest_name("STXP", kCommands), "STOP") << "STOP and STEP are equally near";
}

TEST(DidYouMean, IsTheEndOfAnErrorOrNothing) {
    EXPECT_EQ(did_you_mean("helth", kNames), " (did you mean 'health'?)");
    EXPECT_EQ(did_you_mean("helth", kNames, "--"), " (did you mean '--health'?)");
    EXPECT_EQ(did_you_mean("xyzzy", kNames), "");
}

TEST(NearestName, TakesTextOfAnyLength) {
    EXPECT_EQ(nearest_name(std::string(1'000'000, 'x'), kNames), "");
    const std::string longest(64, 'a');
    EXPECT_EQ(nearest_name(longest.substr(1), std::array<std::string_view, 1>{longest}), longest);
}

}  // namespace
}  // namespace evertick::core
