#include "server/systems/death.hpp"

#include <gtest/gtest.h>

#include "tests/server/world/spawn.hpp"

namespace evertick::systems {
namespace {

using ecs::Entity;
using test::spawn;
using world::Health;

class Death : public testing::Test {
  protected:
    ecs::Registry registry_;
    core::ChunkedArray<world::DeathEvent> deaths_;
};

TEST_F(Death, TakesWhoHasNoHealthLeft) {
    const Entity dead = spawn(registry_, Health{.current = 0});
    const Entity alive = spawn(registry_, Health{.current = 1});
    const Entity stone = spawn(registry_);
    death(registry_, deaths_);
    EXPECT_FALSE(registry_.valid(dead));
    EXPECT_TRUE(registry_.valid(alive));
    EXPECT_TRUE(registry_.valid(stone));
    ASSERT_EQ(deaths_.size(), 1U);
    EXPECT_EQ(deaths_[0].entity, dead);
    EXPECT_EQ(deaths_[0].killer, Entity{});
}

TEST_F(Death, KeepsTheKillerThatIsKnown) {
    const Entity killer = spawn(registry_);
    const Entity dead = spawn(registry_, Health{.current = 0});
    deaths_.push_back({.entity = dead, .killer = killer});
    death(registry_, deaths_);
    EXPECT_FALSE(registry_.valid(dead));
    ASSERT_EQ(deaths_.size(), 1U) << "nobody dies twice";
    EXPECT_EQ(deaths_[0].killer, killer);
}

TEST_F(Death, IsNotRepeatedBeforeTheSweep) {
    spawn(registry_, Health{.current = 0});
    death(registry_, deaths_);
    death(registry_, deaths_);
    EXPECT_EQ(deaths_.size(), 1U);
}

TEST_F(Death, SweepFreesTheIndex) {
    const Entity dead = spawn(registry_, Health{.current = 0});
    death(registry_, deaths_);
    registry_.sweep();
    EXPECT_EQ(registry_.count<Health>(), 0U);
    const Entity reused = registry_.create();
    EXPECT_EQ(reused.index(), dead.index());
    EXPECT_FALSE(registry_.valid(dead));
}

}  // namespace
}  // namespace evertick::systems
