#include "server/access/penalties.hpp"

#include <gtest/gtest.h>

namespace evertick::access {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const Penalties::TimePoint kNow{std::chrono::hours(1)};

TEST(Penalties, DoubleUpToALimit) {
    Penalties penalties;
    EXPECT_LT(penalties.until("a"), kNow);
    for (const int wait : {250, 500, 1000, 2000, 4000, 4000, 4000})
        EXPECT_EQ(penalties.add("a", kNow) - kNow, milliseconds(wait));
    EXPECT_EQ(penalties.until("a") - kNow, milliseconds(4000));
}

TEST(Penalties, HitNobodyElse) {
    Penalties penalties;
    penalties.add("a", kNow);
    penalties.add("a", kNow);
    EXPECT_LT(penalties.until("b"), kNow);
    EXPECT_EQ(penalties.add("b", kNow) - kNow, milliseconds(250));
}

TEST(Penalties, AreForgottenAfterAWhile) {
    Penalties penalties;
    penalties.add("a", kNow);
    const auto later = kNow + seconds(62);
    EXPECT_EQ(penalties.add("a", later) - later, milliseconds(250));
}

TEST(Penalties, HoldABoundedNumberOfPeersAndForgetWhoseWaitEndsFirst) {
    Penalties penalties;
    penalties.add("first", kNow);
    for (int i = 0; i < 2000; ++i) penalties.add("peer" + std::to_string(i), kNow + milliseconds(1 + i));
    EXPECT_EQ(penalties.size(), Penalties::kMaxPeers);
    EXPECT_LT(penalties.until("first"), kNow);
    EXPECT_GT(penalties.until("peer1999"), kNow);
}

TEST(Penalties, TakeTheHostForThePeer) {
    EXPECT_EQ(peer_of("192.0.2.1:5000"), "192.0.2.1");
    EXPECT_EQ(peer_of("[2001:db8:1:2:3:4:5:6]:5000"), "2001:db8:1:2::/64");
    EXPECT_EQ(peer_of("[2001:db8:1:2::9]:5001"), "2001:db8:1:2::/64");
    EXPECT_EQ(peer_of("unix:/run/evertick.sock"), "unix:/run/evertick.sock");
    EXPECT_EQ(peer_of("unknown"), "unknown");
}

}  // namespace
}  // namespace evertick::access
