// What all clients hold together is bounded: beyond it those who hold the most are closed.

#include "tests/server/net/net_test.hpp"

namespace evertick::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SharedMemory : public NetTest {
  protected:
    // A request that does not end, so that what came of it is held.
    static std::string unfinished(std::size_t size_bytes) {
        return "*2\r\n$4\r\nECHO\r\n$" + std::to_string(size_bytes + 1) + "\r\n" +
               std::string(size_bytes, 'x');
    }
};

TEST_F(SharedMemory, IsCountedAndGivenBack) {
    listen();
    TestClient& client = connect();
    client.say(unfinished(100'000));
    EXPECT_TRUE(serve_until([&] { return listener->held_bytes() >= 100'000; }));
    client.say("x\r\n");
    EXPECT_TRUE(serve_until([&] { return listener->held_bytes() <= 40'000; })) << listener->held_bytes();
    client.close();
    EXPECT_TRUE(serve_until([&] { return listener->client_count() == 0; }));
    EXPECT_EQ(listener->held_bytes(), 0U);
}

TEST_F(SharedMemory, CostsTheClientThatHoldsTheMostItsConnection) {
    options.clients_memory_bytes = 3'000'000;
    options.request.max_bulk_bytes = 2'000'000;
    listen();
    TestClient& small = connect();
    small.say(unfinished(200'000));
    TestClient& large = connect();
    large.say(unfinished(1'500'000));
    EXPECT_TRUE(serve_until([&] { return listener->held_bytes() > 2'200'000; }));
    TestClient& last = connect();
    last.say(unfinished(600'000));
    hear_to_the_end(large);
    EXPECT_FALSE(small.ended || last.ended);
    EXPECT_LE(listener->held_bytes(), options.clients_memory_bytes);
    EXPECT_THAT(reports, ElementsAre(HasSubstr("clients hold more than 3000000 bytes together")));
    small.say("x\r\n");
    EXPECT_EQ(hear(small, 200'004).size(), 200'004U) << "the others go on";
}

TEST_F(SharedMemory, IsBoundedForUnreadRepliesToo) {
    options.clients_memory_bytes = 4'000'000;
    listen();
    for (int i = 0; i < 20; ++i) {
        TestClient& client = connect();
        client.limit_receive_buffer(4096);
        client.stop_reading();
        client.say("BYTES 900000\n");
    }
    TestClient& reader = connect();
    reader.say("ECHO alive\n");
    EXPECT_EQ(hear(reader, 8), "+alive\r\n");
    EXPECT_TRUE(serve_until([&] { return sink.disconnected_ids.size() > 5; }));
    EXPECT_LE(listener->held_bytes(), options.clients_memory_bytes);
}

}  // namespace
}  // namespace evertick::test
