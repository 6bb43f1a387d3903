#include "server/net/event_loop.hpp"

#include <gtest/gtest.h>

#include "server/net/timer.hpp"
#include "server/net/wakeable.hpp"

namespace evertick::test {
namespace {

using net::EventLoop;
using std::chrono::hours;
using std::chrono::milliseconds;

// Asks for another turn whenever it has had one: a loop that is never idle.
class Busy final : public net::Wakeable {
  public:
    explicit Busy(EventLoop& loop) : loop_(loop) {}
    void wake(net::Wake) override {
        ++turns;
        if (turns == interrupt_at) loop_.interrupt();
        if (!done) loop_.post(shared_from_this());
    }
    int turns = 0;
    int interrupt_at = 0;
    bool done = false;

  private:
    EventLoop& loop_;
};

class BusyLoop : public ::testing::Test {
  protected:
    BusyLoop() { loop.post(busy); }
    ~BusyLoop() override {
        busy->done = true;
        loop.serve_ready(hours(1));
    }
    EventLoop loop;
    std::shared_ptr<Busy> busy = std::make_shared<Busy>(loop);
};

TEST(EventLoop, ServesUntilTheDeadlineWhenNothingHappens) {
    EventLoop loop;
    const auto deadline = EventLoop::Clock::now() + milliseconds(5);
    loop.serve_until(deadline);
    EXPECT_GE(EventLoop::Clock::now(), deadline);
}

TEST(EventLoop, ServesUntilOneDeadlineAfterTheOther) {
    EventLoop loop;
    auto deadline = EventLoop::Clock::now();
    for (int i = 0; i < 100; ++i) {
        deadline += std::chrono::microseconds(300);
        loop.serve_until(deadline);
        loop.serve_until(deadline);  // the same again: it has passed
        ASSERT_GE(EventLoop::Clock::now(), deadline) << "deadline " << i;
    }
}

TEST(EventLoop, ReturnsFromServingWhatIsReadyWhenNothingIs) {
    EventLoop loop;
    const auto start = EventLoop::Clock::now();
    loop.serve_ready(hours(1));
    EXPECT_LT(EventLoop::Clock::now() - start, hours(1));
}

TEST_F(BusyLoop, ReturnsAtTheDeadlineAllTheSame) {
    const auto deadline = EventLoop::Clock::now() + milliseconds(5);
    loop.serve_until(deadline);
    EXPECT_GE(EventLoop::Clock::now(), deadline);
    EXPECT_GT(busy->turns, 1);
}

TEST_F(BusyLoop, ServesALittleWhenTheDeadlineHasPassed) {
    loop.serve_until(EventLoop::Clock::now() - milliseconds(5));
    EXPECT_GE(busy->turns, 1);
}

TEST_F(BusyLoop, ReturnsOnceInterruptedByAHandler) {
    busy->interrupt_at = 3;
    loop.serve_until(EventLoop::Clock::now() + hours(1));
    EXPECT_EQ(busy->turns, 3);
}

TEST_F(BusyLoop, AnInterruptInBetweenEndsTheNextServeOnly) {
    loop.interrupt();
    loop.serve_until(EventLoop::Clock::now() + hours(1));
    EXPECT_EQ(busy->turns, 0);
    loop.serve_until(EventLoop::Clock::now() + milliseconds(2));
    EXPECT_GT(busy->turns, 0);
}

TEST(EventLoop, CutsASliceShortAtTheDeadline) {
    EventLoop loop;
    const auto start = EventLoop::Clock::now();
    const auto deadline = start + milliseconds(2);
    loop.serve_until(deadline);
    EXPECT_EQ(loop.slice_end(start, hours(1)), deadline);
    EXPECT_EQ(loop.slice_end(start, milliseconds(1)), start + milliseconds(1));
    EXPECT_EQ(loop.slice_end(deadline, milliseconds(1)), deadline + milliseconds(1))
        << "late: a slice of its own";
}

TEST(Timer, FiresOnceAtItsTime) {
    EventLoop loop;
    int fired = 0;
    net::Timer timer(loop, [&] { ++fired; });
    const auto time = EventLoop::Clock::now() + milliseconds(3);
    timer.at(time);
    while (fired == 0) loop.serve_until(EventLoop::Clock::now() + milliseconds(1));
    EXPECT_GE(EventLoop::Clock::now(), time);
    loop.serve_until(EventLoop::Clock::now() + milliseconds(5));
    EXPECT_EQ(fired, 1);
}

TEST(Timer, FiresOverAndOver) {
    EventLoop loop;
    int fired = 0;
    net::Timer timer(loop, [&] {
        if (++fired == 3) loop.interrupt();
    });
    timer.every(milliseconds(1));
    loop.serve_until(EventLoop::Clock::now() + hours(1));
    EXPECT_EQ(fired, 3);
}

TEST(Timer, IsSilentOnceGone) {
    EventLoop loop;
    int fired = 0;
    {
        net::Timer timer(loop, [&] { ++fired; });
        timer.every(milliseconds(1));
    }
    loop.serve_until(EventLoop::Clock::now() + milliseconds(5));
    EXPECT_EQ(fired, 0);
}

}  // namespace
}  // namespace evertick::test
