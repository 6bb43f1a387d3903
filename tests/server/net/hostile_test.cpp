// Peers that mean harm, or have forgotten that they are there.

#include "tests/server/net/net_test.hpp"

namespace evertick::test {
namespace {

using ::testing::HasSubstr;

class Hostile : public NetTest {
  protected:
    // The most that was held while the clients were driven until the condition held.
    template <class Condition>
    std::size_t most_held_until(Condition holds) {
        std::size_t most = 0;
        EXPECT_TRUE(serve_until([&] {
            most = std::max(most, listener->held_bytes());
            return holds();
        }));
        return most;
    }

    bool all_ended() const {
        return std::ranges::all_of(clients, [](const TestClient& client) { return client.ended; });
    }
};

TEST_F(Hostile, AMillionWordsBeforeALoginReserveNothing) {
    sink.first_role = protocol::Role::nobody;
    listen();
    for (int i = 0; i < 100; ++i) connect().say("*1000000\r\n");
    EXPECT_LE(most_held_until([&] { return all_ended(); }), 100U * 4096);
    EXPECT_THAT(clients[99].received, HasSubstr("at most 10 words"));
}

TEST_F(Hostile, HalfAGigabyteAnnouncedReservesNothing) {
    listen();
    for (int i = 0; i < 10; ++i) connect().say("*2\r\n$4\r\nECHO\r\n$536870912\r\n");
    EXPECT_LE(most_held_until([&] { return all_ended(); }), 10U * 4096);
    EXPECT_THAT(clients[9].received, HasSubstr("max-bulk-bytes"));
}

TEST_F(Hostile, WhatIsAllowedAndAnnouncedReservesNothingEither) {
    listen();
    for (int i = 0; i < 10; ++i) connect().say("ECHO hi\n*262144\r\n$1000000\r\nabc");
    EXPECT_LE(most_held_until([&] { return clients[9].received == "+hi\r\n"; }), 10U * 4096);
}

TEST_F(Hostile, ANumberPastAllNumbersEndsTheConnection) {
    listen();
    TestClient& client = connect();
    client.say("*9223372036854775807\r\n");
    EXPECT_THAT(hear_to_the_end(client), HasSubstr("at most 262144 words"));
}

TEST_F(Hostile, EndlessWordsEndAtTheLimitOfWhatMayWait) {
    options.request.max_pending_bytes = 200'000;
    options.request.max_bulk_bytes = 1000;
    listen();
    TestClient& client = connect();
    client.say("*262144\r\n" + repeated("$1000\r\n" + std::string(1000, 'x') + "\r\n", 1000));
    EXPECT_LE(most_held_until([&] { return client.ended; }), 600'000U);
    EXPECT_THAT(client.received, HasSubstr("over 200000 bytes (max-pending-bytes)"));
}

TEST_F(Hostile, EndlessEmptyWordsEndToo) {
    options.request.max_pending_bytes = 200'000;
    listen();
    TestClient& client = connect();
    client.say("*262144\r\n" + repeated("$0\r\n\r\n", 262'143));
    EXPECT_LE(most_held_until([&] { return client.ended; }), 2'000'000U);
    EXPECT_THAT(client.received, HasSubstr("(max-pending-bytes)"));
}

TEST_F(Hostile, PingQuitPingAnswersTwice) {
    listen();
    TestClient& client = connect();
    client.say("ECHO 1\r\nQUIT\r\nECHO 2\r\n");
    EXPECT_EQ(hear_to_the_end(client), "+1\r\n+OK\r\n");
    EXPECT_FALSE(client.was_reset);
}

TEST_F(Hostile, AForgottenStreamIsBounded) {
    options.push_queue_bytes = 100'000;
    listen();
    TestClient& client = connect();
    client.stop_reading();
    EXPECT_TRUE(serve_until([&] { return listener->client_count() == 1; }));
    const std::string event(50'000, 'e');
    std::size_t taken = 0;
    serve_until([&] {
        if (!listener->push(1, event)) return true;
        ++taken;
        return false;
    });
    EXPECT_TRUE(serve_until([&] {  // the kernel takes some more, then nothing
        loop.serve_ready(std::chrono::milliseconds(20));
        const bool refused = !listener->push(1, event);
        taken += refused ? 0U : 1U;
        return refused;
    }));
    EXPECT_LE(listener->held_bytes(), 300'000U);
    client.read_on();
    EXPECT_EQ(hear(client, taken * event.size()).size(), taken * event.size()) << "what was taken is sent";
    EXPECT_TRUE(listener->push(1, event)) << "and then there is room again";
    EXPECT_FALSE(listener->push(2, event)) << "no such client";
}

TEST_F(Hostile, APushComesAfterTheReplyUnderWay) {
    listen();
    sink.on_call = [&](std::uint64_t id) { EXPECT_TRUE(listener->push(id, "+pushed\r\n")); };
    TestClient& client = connect();
    client.say("ECHO a\nCALL\nECHO b\n");
    EXPECT_EQ(hear(client, 22).size(), 4U + 9 + 5 + 4);
}

TEST_F(Hostile, AReaderOfSingleBytesHoldsNobodyUp) {
    options.output_soft_bytes = 50'000;
    listen();
    TestClient& slow = connect();
    slow.limit_receive_buffer(4096);
    slow.stop_reading();
    slow.say(repeated("BYTES 10000\n", 2000));
    TestClient& other = connect();
    for (int i = 0; i < 200; ++i) {
        slow.read_one_byte();
        other.say("ECHO x\n");
        ASSERT_EQ(hear(other, 4U * static_cast<std::size_t>(i + 1)).size(),
                  4U * static_cast<std::size_t>(i + 1));
        EXPECT_LE(listener->held_bytes(), 300'000U);
    }
    EXPECT_LT(sink.executed[1], 1000U);
}

TEST_F(Hostile, AClientThatIsGoneWithoutAWordIsNoticed) {
    options.keepalive = std::chrono::seconds(1);
    listen();
    TestClient& client = connect();
    EXPECT_TRUE(serve_until([&] { return listener->client_count() == 1; }));
    if (!client.vanish()) GTEST_SKIP() << "the kernel lets only administrators close without a FIN";
    EXPECT_TRUE(serve_until([&] { return listener->client_count() == 0; }));
}

}  // namespace
}  // namespace evertick::test
