// Random programs against the oracle, compared after every step: handles, components, order, views, groups,
// observers, and how many components are constructed. EVERTICK_ORACLE_PROGRAMS says how many programs.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

#include "tests/core/tracked.hpp"
#include "tests/ecs/oracle_program.hpp"

namespace evertick::ecs {
namespace {

using test::Program;
using test::Tracked;

std::uint64_t program_count() {
    const char* const wished = std::getenv("EVERTICK_ORACLE_PROGRAMS");
    return wished != nullptr ? std::strtoull(wished, nullptr, 10) : 1000;
}

TEST(EcsOracle, EqualsTheRegistryAfterEveryStepOfEveryProgram) {
    for (std::uint64_t seed = 1; seed <= program_count(); ++seed) {
        {
            Program program(seed);
            for (int step = 0; step < 60; ++step) {
                program.step();
                if (!HasFatalFailure()) program.check();
                if (HasFatalFailure()) FAIL() << "seed " << seed << ", step " << step;
            }
        }
        ASSERT_EQ(Tracked::counts.live(), 0) << "seed " << seed;
    }
}

// The number is that of every compiler at every level, also where the oracle does not predict the order.
TEST(EcsOracle, IterationOrderIsTheSameOnEveryBuild) {
    std::uint64_t digest = 0;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        Program program(seed);
        for (int step = 0; step < 60; ++step) {
            program.step();
            digest = digest * 31 + program.digest();
        }
    }
    EXPECT_EQ(digest, 4137105852411554133U);
}

}  // namespace
}  // namespace evertick::ecs
