#include "server/access/hash_thread.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace evertick::access {
namespace {

TEST(HashThread, ConfirmsInOrder) {
    const auto password =
        std::make_shared<Password>(Password::parse(password_hash("secret").value()).value());
    std::atomic<int> finished{0};
    HashThread thread([&] { ++finished; });
    thread.check(1, password, "wrong");
    thread.check(2, password, "secret");
    while (finished < 2) std::this_thread::yield();
    const auto done = thread.take();
    ASSERT_EQ(done.size(), 2U);
    EXPECT_EQ(done[0].ticket, 1U);
    EXPECT_FALSE(done[0].right);
    EXPECT_EQ(done[1].ticket, 2U);
    EXPECT_TRUE(done[1].right);
    EXPECT_TRUE(thread.take().empty()) << "each comes out once";
}

TEST(HashThread, EndsWithWorkLeft) {
    const auto password =
        std::make_shared<Password>(Password::parse(password_hash("secret").value()).value());
    HashThread thread([] {});
    for (std::uint64_t ticket = 0; ticket < 100; ++ticket) thread.check(ticket, password, "wrong");
}

}  // namespace
}  // namespace evertick::access
