#include "server/net/exchange.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/server/net/fake_sink.hpp"

namespace evertick::test {
namespace {

using net::Exchange;
using ::testing::IsEmpty;
using State = Exchange::State;
using Step = Exchange::Step;

class ExchangeTest : public ::testing::Test {
  protected:
    void say(std::string_view bytes) {
        std::ranges::copy(bytes, exchange.prepare(bytes.size()).begin());
        exchange.commit(bytes.size());
    }
    // Takes its steps as far as they go. Returns how many.
    std::size_t steps() {
        std::size_t count = 0;
        for (; exchange.may_step(); ++count) {
            exchange.step();
            exchange.check_invariants();
        }
        return count;
    }
    std::string hear() {
        std::string heard(exchange.unsent());
        exchange.sent(heard.size());
        exchange.check_invariants();
        return heard;
    }

    net::Options options{.output_soft_bytes = 100, .output_hard_bytes = 1000, .push_queue_bytes = 50};
    FakeSink sink;
    Exchange exchange{options, sink, {.id = 1}};
};

TEST_F(ExchangeTest, AsksForMoreOnceItHasDoneWhatCame) {
    EXPECT_TRUE(exchange.may_receive());
    say("ECHO a\nECHO b\nECH");
    EXPECT_FALSE(exchange.may_receive());
    EXPECT_EQ(steps(), 3U) << "two requests, and one to see that there is no third";
    EXPECT_TRUE(exchange.may_receive());
    EXPECT_EQ(hear(), "+a\r\n+b\r\n");
}

TEST_F(ExchangeTest, RestsAtTheSoftLimitUntilSomeIsTaken) {
    say("BYTES 60\nBYTES 60\nBYTES 60\n");
    EXPECT_EQ(steps(), 2U);
    EXPECT_FALSE(exchange.may_receive());
    exchange.sent(60);
    EXPECT_EQ(steps(), 1U);
    EXPECT_EQ(hear().size(), 3U * 65 - 60);
}

TEST_F(ExchangeTest, OverflowsAtTheHardLimit) {
    say("BYTES 990\nBYTES 10\n");
    EXPECT_EQ(exchange.step(), Step::executed);
    say("BYTES 990\n");
    EXPECT_FALSE(exchange.may_step());
    EXPECT_EQ(hear().size(), 995U);
    EXPECT_EQ(exchange.step(), Step::executed);
    EXPECT_EQ(exchange.step(), Step::overflow);
}

TEST_F(ExchangeTest, TellsWhatIsUnfinishedAtTheEnd) {
    say("ECHO a\nECH");
    exchange.end_input();
    EXPECT_EQ(steps(), 2U);
    EXPECT_EQ(exchange.state(), State::finishing);
    EXPECT_FALSE(exchange.is_done());
    EXPECT_EQ(hear(), "+a\r\n-incomplete command (missing newline)\r\n");
    EXPECT_TRUE(exchange.is_done());
}

TEST_F(ExchangeTest, BlamesNobodyWhenDrained) {
    say("ECHO a\nECH");
    exchange.drain();
    steps();
    EXPECT_EQ(hear(), "+a\r\n");
    EXPECT_TRUE(exchange.is_done());
}

TEST_F(ExchangeTest, IsDoneAtOnceWhenDrainedWithNothingUnread) {
    exchange.drain();
    EXPECT_EQ(steps(), 1U);
    EXPECT_TRUE(exchange.is_done());
}

TEST_F(ExchangeTest, WaitsForOneReply) {
    say("WAIT\nECHO b\n");
    EXPECT_EQ(steps(), 1U);
    exchange.end_input();
    EXPECT_EQ(exchange.state(), State::waiting);
    std::string reply = "+late\r\n";
    EXPECT_TRUE(exchange.resume(reply));
    std::string another = "+never\r\n";
    EXPECT_FALSE(exchange.resume(another));
    steps();
    EXPECT_EQ(hear(), "+late\r\n+b\r\n");
    EXPECT_TRUE(exchange.is_done());
}

TEST_F(ExchangeTest, AnswersTheRequestThatFinishesIt) {
    sink.on_call = [&](std::uint64_t) {
        EXPECT_TRUE(exchange.is_executing());
        exchange.finish();
    };
    say("CALL\nECHO ignored\n");
    EXPECT_EQ(steps(), 1U);
    EXPECT_EQ(hear(), "+OK\r\n");
    EXPECT_TRUE(exchange.is_done());
}

TEST_F(ExchangeTest, TakesPushesUpToTheirLimit) {
    const std::string event(30, 'e');
    EXPECT_TRUE(exchange.push(event));
    EXPECT_FALSE(exchange.push(event)) << "it would leave 60 bytes unsent, of 50";
    EXPECT_EQ(hear(), event);
    EXPECT_TRUE(exchange.push(event));
    exchange.finish();
    hear();
    EXPECT_FALSE(exchange.push(event)) << "it is finishing";
}

TEST_F(ExchangeTest, KeepsALentBufferOnlyForWhatIsUnsent) {
    std::string spare;
    spare.reserve(1000);
    const std::size_t idle = exchange.buffer_bytes();
    exchange.lend_output(spare);
    say("ECHO a\n");
    steps();
    exchange.return_output(spare);
    EXPECT_LT(spare.capacity(), 1000U);
    EXPECT_EQ(hear(), "+a\r\n");
    exchange.return_output(spare);
    EXPECT_GE(spare.capacity(), 1000U);
    EXPECT_GE(exchange.buffer_bytes(), idle);
    EXPECT_THAT(exchange.unsent(), IsEmpty());
}

}  // namespace
}  // namespace evertick::test
