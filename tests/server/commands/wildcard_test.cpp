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

TEST(Wildcard, StaysQuadraticOnAHostilePattern) {
    std::string pattern;
    for (int i = 0; i < 2000; ++i) pattern += "a*";
    pattern += "b";
    EXPECT_FALSE(matches_wildcard(pattern, std::string(20'000, 'a')));  // exponential would never end
}

}  // namespace
}  // namespace evertick::commands
