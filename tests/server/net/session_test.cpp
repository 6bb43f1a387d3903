#include "server/net/session.hpp"

#include "tests/server/net/net_test.hpp"

namespace evertick::test {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Session : public NetTest {};

TEST_F(Session, AnswersARequest) {
    listen();
    TestClient& client = connect();
    client.say("ECHO hello\n");
    EXPECT_EQ(hear(client, 8), "+hello\r\n");
}

TEST_F(Session, AnswersAPipelineInOrder) {
    listen();
    TestClient& client = connect();
    std::string expected;
    for (int i = 0; i < 20'000; ++i) {
        client.say("ECHO " + std::to_string(i) + "\n");
        expected += "+" + std::to_string(i) + "\r\n";
    }
    EXPECT_EQ(hear(client, expected.size()), expected);
}

TEST_F(Session, TellsHowLongEachRequestTook) {
    listen();
    TestClient& client = connect();
    client.say("ECHO a\nSPIN 3000\nNONSENSE\n");
    EXPECT_EQ(hear(client, 14), "+a\r\n+OK\r\n+OK\r\n");
    ASSERT_EQ(sink.times.size(), 3U);
    EXPECT_GE(sink.times[1], std::chrono::microseconds(3000));
}

TEST_F(Session, AnswersARequestThatComesInPieces) {
    listen();
    TestClient& client = connect();
    for (const char byte : std::string("*2\r\n$4\r\nECHO\r\n$2\r\nhi\r\n")) {
        EXPECT_THAT(client.received, IsEmpty()) << "answered before the request was complete";
        client.say(std::string(1, byte));
        loop.serve_ready(std::chrono::milliseconds(10));
        client.poll();
    }
    EXPECT_EQ(hear(client, 5), "+hi\r\n");
}

TEST_F(Session, AnswersEverythingAfterTheClientsFin) {
    listen();
    TestClient& client = connect();
    client.say(repeated("ECHO x\n", 10'000));
    client.finish();
    EXPECT_EQ(hear_to_the_end(client), repeated("+x\r\n", 10'000));
    EXPECT_FALSE(client.was_reset);
}

TEST_F(Session, DeliversLargeRepliesAfterTheClientsFin) {
    listen();
    TestClient& client = connect();
    const std::string large(60'000, 'l');
    client.say("ECHO " + large + "\n" + repeated("BYTES 5000\n", 1000));
    client.finish();
    EXPECT_EQ(hear_to_the_end(client),
              "+" + large + "\r\n" + repeated(std::string(5000, 'x') + "+OK\r\n", 1000));
}

TEST_F(Session, AnswersAnUnfinishedLineAtFinWithAnError) {
    listen();
    TestClient& client = connect();
    client.say("ECHO a\nECHO b");
    client.finish();
    EXPECT_EQ(hear_to_the_end(client), "+a\r\n-incomplete command (missing newline)\r\n");
}

TEST_F(Session, AnswersAnUnfinishedArrayAtFinWithAnError) {
    listen();
    TestClient& client = connect();
    client.say("*2\r\n$4\r\nECHO\r\n$5\r\nhel");
    client.finish();
    EXPECT_THAT(hear_to_the_end(client), HasSubstr("-incomplete command (word 2 of 2 has not come whole)"));
}

TEST_F(Session, ClosesWithoutAWordWhenNothingWasSaid) {
    listen();
    TestClient& client = connect();
    client.finish();
    EXPECT_EQ(hear_to_the_end(client), "");
    EXPECT_TRUE(serve_until([&] { return listener->client_count() == 0; }));
    EXPECT_THAT(reports, IsEmpty());
}

TEST_F(Session, IgnoresWhatFollowsARequestThatCloses) {
    listen();
    TestClient& client = connect();
    client.say("ECHO a\nQUIT\n" + repeated("ECHO ignored\n", 100'000));
    EXPECT_EQ(hear_to_the_end(client), "+a\r\n+OK\r\n");
    EXPECT_FALSE(client.was_reset) << "the reply may be lost to a reset";
    EXPECT_EQ(sink.executed[1], 2U);
}

TEST_F(Session, FlushesALargeReplyBeforeItCloses) {
    listen();
    TestClient& client = connect();
    client.say("BYTES 3000000\nQUIT\n");
    EXPECT_EQ(hear_to_the_end(client).size(), 3'000'000U + 5 + 5);
}

TEST_F(Session, DoesNotWaitForeverForThePeerToCloseToo) {
    listen();
    TestClient& client = connect();
    client.say("QUIT\n");
    hear_to_the_end(client);
    EXPECT_TRUE(serve_until([&] { return listener->client_count() == 0; }));
}

TEST_F(Session, TakesNothingWhileItWaits) {
    listen();
    TestClient& client = connect();
    client.say("ECHO a\nWAIT\nECHO b\n");
    EXPECT_TRUE(serve_until([&] { return sink.executed[1] >= 2; }));
    EXPECT_EQ(hear(client, 4), "+a\r\n");
    EXPECT_EQ(sink.executed[1], 2U);
    EXPECT_TRUE(listener->resume(1, "+resumed\r\n"));
    EXPECT_EQ(hear(client, 18), "+a\r\n+resumed\r\n+b\r\n");
    EXPECT_FALSE(listener->resume(1, "+again\r\n")) << "it does not wait any more";
}

TEST_F(Session, AnswersAWaitingClientThatHasFinished) {
    listen();
    TestClient& client = connect();
    client.say("WAIT\nECHO b\n");
    client.finish();
    EXPECT_TRUE(serve_until([&] { return sink.executed[1] == 1; }));
    EXPECT_TRUE(listener->resume(1, "+resumed\r\n"));
    EXPECT_EQ(hear_to_the_end(client), "+resumed\r\n+b\r\n");
}

TEST_F(Session, NoticesThatNobodyWaitsForAReplyAnyMore) {
    listen();
    TestClient& client = connect();
    client.say("WAIT\n");
    EXPECT_TRUE(serve_until([&] { return sink.executed[1] == 1; }));
    client.reset();
    EXPECT_TRUE(serve_until([&] { return listener->client_count() == 0; }));
    EXPECT_THAT(sink.disconnected_ids, ElementsAre(1U));
}

TEST_F(Session, StopsExecutingForAClientThatDoesNotRead) {
    options.output_soft_bytes = 100'000;
    listen();
    TestClient& client = connect();
    client.limit_receive_buffer(128 * 1024);
    client.stop_reading();
    client.say(repeated("BYTES 10000\n", 2000));
    std::size_t before = 0;
    int still = 0;
    serve_until([&] {  // until nothing has moved for 50 rounds
        still = sink.executed[1] == before ? still + 1 : 0;
        before = sink.executed[1];
        return before > 0 && still == 50;
    });
    EXPECT_LT(before, 2000U) << "20 MB of replies are held for a client that does not read";
    client.read_on();
    EXPECT_EQ(hear(client, 20'010'000).size(), 20'010'000U);
}

TEST_F(Session, ClosesAClientWhoseRepliesPassTheHardLimit) {
    options.output_hard_bytes = 1'000'000;
    listen();
    TestClient& client = connect();
    TestClient& other = connect();
    client.say("BYTES 2000000\n");
    hear_to_the_end(client);
    EXPECT_THAT(reports, ElementsAre(HasSubstr("more than 1000000 bytes of replies unread")));
    other.say("ECHO alive\n");
    EXPECT_EQ(hear(other, 8), "+alive\r\n");
}

TEST_F(Session, ClosesAfterTellingAMalformedRequest) {
    listen();
    TestClient& client = connect();
    client.say("ECHO a\n*x\r\n" + repeated("ECHO ignored\n", 1000));
    EXPECT_THAT(hear_to_the_end(client), HasSubstr("+a\r\n-Protocol error"));
    EXPECT_THAT(client.received, EndsWith("\r\n"));
    EXPECT_FALSE(client.was_reset);
}

TEST_F(Session, AnswersWhatCameBeforeHttp) {
    listen();
    TestClient& client = connect();
    client.say("ECHO a\nPOST / HTTP/1.1\r\n\r\nECHO b\n");
    EXPECT_EQ(hear_to_the_end(client), "+a\r\n");
    EXPECT_FALSE(client.was_reset);
}

TEST_F(Session, ClosesHttpWithoutAnAnswerAndReportsItOnce) {
    listen();
    for (int i = 0; i < 3; ++i) {
        TestClient& client = connect();
        client.say("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        EXPECT_EQ(hear_to_the_end(client), "");
    }
    EXPECT_THAT(reports, ElementsAre(HasSubstr("HTTP")));
}

TEST_F(Session, SurvivesACommandThatThrows) {
    listen();
    TestClient& client = connect();
    TestClient& other = connect();
    client.say("THROW\n");
    hear_to_the_end(client);
    EXPECT_THAT(reports, ElementsAre(HasSubstr("thrown by a command")));
    other.say("ECHO alive\n");
    EXPECT_EQ(hear(other, 8), "+alive\r\n");
}

TEST_F(Session, SurvivesAPeerThatResets) {
    listen();
    TestClient& client = connect();
    client.stop_reading();
    client.say(repeated("BYTES 10000\n", 1000));
    EXPECT_TRUE(serve_until([&] { return sink.executed[1] > 10; }));
    client.reset();
    EXPECT_TRUE(serve_until([&] { return listener->client_count() == 0; }));
    EXPECT_THAT(sink.disconnected_ids, ElementsAre(1U));
}

TEST_F(Session, SharesTheLoopWithAClientThatFloods) {
    options.commands_per_slice = 10;
    listen();
    TestClient& flooder = connect();
    flooder.say(repeated("ECHO flood\n", 50'000));
    EXPECT_TRUE(serve_until([&] { return sink.executed[1] > 0; }));
    TestClient& other = connect();
    const std::size_t before = sink.executed[1];
    std::size_t after = 0;
    sink.on_call = [&](std::uint64_t) { after = sink.executed[1]; };
    other.say("CALL\n");
    EXPECT_TRUE(serve_until([&] { return after > 0; }));
    EXPECT_LE(after - before, 100U) << "commands of the flooder before the other was accepted and served";
}

TEST_F(Session, GivesWayWhenTheDeadlineHasCome) {
    options.slice = std::chrono::seconds(10);
    listen();
    connect().say(repeated("SPIN 1000\n", 1000));
    EXPECT_TRUE(serve_until([&] { return sink.executed[1] > 0; }));
    const std::size_t before = sink.executed[1];
    loop.serve_until(net::EventLoop::Clock::now() + std::chrono::milliseconds(20));
    EXPECT_LE(sink.executed[1] - before, 21U) << "commands of 1 ms each in 20 ms and the one under way";
}

}  // namespace
}  // namespace evertick::test
