#include "server/log/level.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace evertick::server {
namespace {

TEST(Level, IsFoundByEachOfItsWords) {
    for (const std::string_view word : words(Level{})) {
        const auto level = find_level(word);
        ASSERT_TRUE(level.has_value()) << word;
        EXPECT_EQ(words(Level{})[std::to_underlying(*level)], word);
    }
    EXPECT_EQ(find_level("Info"), std::nullopt);
    EXPECT_EQ(find_level(""), std::nullopt);
}

}  // namespace
}  // namespace evertick::server
