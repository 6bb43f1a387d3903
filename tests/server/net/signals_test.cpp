#include "server/net/signals.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <vector>

namespace evertick::test {
namespace {

using ::testing::ElementsAre;

class Signals : public ::testing::Test {
  protected:
    // Serves until so many signals have been received.
    void receive(std::size_t count) {
        while (received.size() < count)
            loop.serve_until(net::EventLoop::Clock::now() + std::chrono::hours(1));
    }

    net::EventLoop loop;
    std::vector<int> received;
    net::SignalSource source{loop, [this](int signal) {
                                 received.push_back(signal);
                                 loop.interrupt();
                             }};
};

TEST_F(Signals, AreReceivedInTheLoopEachTime) {
    std::raise(SIGTERM);
    EXPECT_THAT(received, ElementsAre()) << "received outside the loop";
    receive(1);
    std::raise(SIGTERM);
    receive(2);
    std::raise(SIGINT);
    receive(3);
    std::raise(SIGHUP);
    receive(4);
    EXPECT_THAT(received, ElementsAre(SIGTERM, SIGTERM, SIGINT, SIGHUP));
}

TEST_F(Signals, AWriteToAClosedPipeDoesNotEndTheProcess) {
    std::raise(SIGPIPE);
    SUCCEED() << "still here";
}

}  // namespace
}  // namespace evertick::test
