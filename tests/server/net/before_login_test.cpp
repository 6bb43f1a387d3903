// A client that has not logged in gets little of everything.

#include "tests/server/net/net_test.hpp"

namespace evertick::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class BeforeLogin : public NetTest {
  protected:
    BeforeLogin() { sink.first_role = protocol::Role::nobody; }

    // A bulk string that is announced and not sent.
    static std::string announced(std::size_t size_bytes) {
        return "*2\r\n$4\r\nECHO\r\n$" + std::to_string(size_bytes) + "\r\n";
    }
};

TEST_F(BeforeLogin, TakesTenWords) {
    listen();
    EXPECT_EQ(hear(connect(), 0), "");
    TestClient& client = connect();
    client.say("ECHO 2 3 4 5 6 7 8 9 10\n*11\r\n");
    EXPECT_EQ(hear_to_the_end(client),
              "+2\r\n-Protocol error: a request has at most 10 words (max-arguments-before-login)\r\n");
    TestClient& other = connect();
    other.say("ECHO 2 3 4 5 6 7 8 9 10 11\n");
    EXPECT_THAT(hear_to_the_end(other), HasSubstr("(max-arguments-before-login)"));
}

TEST_F(BeforeLogin, TakesShortWords) {
    listen();
    TestClient& client = connect();
    client.say(announced(16'385));
    EXPECT_THAT(hear_to_the_end(client), HasSubstr("(max-bulk-bytes-before-login)"));
}

TEST_F(BeforeLogin, TakesEverythingAfterTheLogin) {
    listen();
    TestClient& client = connect();
    const std::string large(100'000, 'x');
    client.say("LOGIN\n" + announced(large.size()) + large + "\r\n*12\r\n" + repeated("$1\r\nx\r\n", 12));
    EXPECT_EQ(hear(client, large.size() + 13), "+OK\r\n+" + large + "\r\n+OK\r\n");
}

TEST_F(BeforeLogin, IsNotReadFromWhileItLeavesFewRepliesUnread) {
    listen();
    TestClient& client = connect();
    client.limit_receive_buffer(4096);
    client.stop_reading();
    client.say(repeated("BYTES 1000\n", 100'000));
    std::size_t executed = 0;
    EXPECT_TRUE(serve_until([&] {
        loop.serve_ready(std::chrono::milliseconds(20));
        return std::exchange(executed, sink.executed[1]) == sink.executed[1] && executed > 0;
    }));
    EXPECT_LT(executed, 5'000U) << "what the kernel holds, and 16 KiB";
}

}  // namespace
}  // namespace evertick::test
