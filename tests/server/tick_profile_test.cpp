#include "server/tick_profile.hpp"

#include <gtest/gtest.h>

namespace evertick::server {
namespace {

using namespace std::chrono_literals;

TEST(TickProfile, GivesEachSystemTheTimeSinceTheOneBefore) {
    TimePoint now = TimePoint{} + 1h;
    TickProfile profile([&] { return now; });
    for (int tick = 0; tick < 2; ++tick) {
        profile.tick_begins();
        now += 3us;
        profile.system_ran(0);
        now += 500ns;
        profile.system_ran(1);
        now += 1s;  // between the ticks: nobody's
    }
    const auto systems = profile.systems();
    ASSERT_EQ(systems.size(), systems::schedule().size());
    EXPECT_EQ(systems[0].name, systems::schedule()[0].name);
    EXPECT_DOUBLE_EQ(systems[0].time.max, 3e-6);
    EXPECT_DOUBLE_EQ(systems[1].time.mean, 5e-7);
    EXPECT_EQ(systems[2].time.max, 0) << "it has not run yet";
}

}  // namespace
}  // namespace evertick::server
