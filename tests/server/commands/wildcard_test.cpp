#include "server/commands/wildcard.hpp"

#include <gtest/gtest.h>

#include <string>

namespace evertick::commands {
namespace {

TEST(Wildcard, MatchesLiteralsInAnyCase) {
    EXPECT_TRUE(matches_wildcard("tick-rate", "tick-rate"));
    EXPECT_TRUE(matches_wildcard("TICK-Rate", "tick-rate"));
    EXPECT_FALSE(matches_wildcard("tick", "tick-rate"));
    EXPECT_FALSE(matches_wildcard("tick-rate", "tick"));
}

TEST(Wildcard, TakesAQuestionMarkForOneCharacter) {
    EXPECT_TRUE(matches_wildcard("p?rt", "port"));
    EXPECT_FALSE(matches_wildcard("port?", "port"));
}

TEST(Wildcard, TakesAStarForAnyRun) {
    EXPECT_TRUE(matches_wildcard("*", ""));
    EXPECT_TRUE(matches_wildcard("max-*", "max-clients"));
    EXPECT_TRUE(matches_wildcard("*-*-*", "max-bulk-bytes"));
    EXPECT_TRUE(matches_wildcard("m*s*s", "max-clients-s"));
    EXPECT_FALSE(matches_wildcard("max-*z", "max-clients"));
}

TEST(Wildcard, IsLinearOnAHostilePattern) {
    std::string pattern;
    for (int i = 0; i < 100'000; ++i) pattern += "a*";
    pattern += "b";
    EXPECT_FALSE(matches_wildcard(pattern, std::string(1'000'000, 'a')));  // quadratic would take minutes
}

TEST(Wildcard, HasABound) {
    EXPECT_TRUE(check_pattern(std::string(kMaxPatternBytes, '*')));
    EXPECT_EQ(check_pattern(std::string(kMaxPatternBytes + 1, '*')).error().message,
              "a pattern has at most 256 bytes");
}

}  // namespace
}  // namespace evertick::commands
