// verify(): on in every build, and it says where and why.

#include "core/verify.hpp"

#include <gtest/gtest.h>

namespace evertick::core {
namespace {

constexpr int half(int even) {
    verify(even % 2 == 0, "the number is even");
    return even / 2;
}

TEST(Verify, DoesNothingWhenTheConditionHolds) { EXPECT_EQ(half(8), 4); }

TEST(Verify, WorksAtCompileTime) { static_assert(half(8) == 4); }

TEST(Verify, AbortsWithPlaceFunctionAndReason) {
    EXPECT_EXIT(half(7), ::testing::KilledBySignal(SIGABRT),
                "verify_test.cpp:[0-9]+: .*half.*: verify failed: the number is even");
}

}  // namespace
}  // namespace evertick::core
