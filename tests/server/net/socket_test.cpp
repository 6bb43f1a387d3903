#include "server/net/socket.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/tcp.h>

#include "tests/server/net/test_client.hpp"

namespace evertick::test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

TEST(Socket, ListensOnAName) {
    const core::Result<net::Fd> socket = net::open_listening_socket("localhost", 0);
    ASSERT_TRUE(socket) << socket.error().message;
    EXPECT_TRUE(net::local_endpoint(socket->get()).loopback);
}

TEST(Socket, WritesAnIpv6EndpointInBrackets) {
    const core::Result<net::Fd> socket = net::open_listening_socket("::1", 0);
    if (!socket) {  // a machine without IPv6: then that is what it says
        EXPECT_THAT(socket.error().message, HasSubstr("on ::1: "));
        return;
    }
    EXPECT_THAT(net::local_endpoint(socket->get()).text, MatchesRegex("\\[::1\\]:[0-9]+"));
    EXPECT_TRUE(net::local_endpoint(socket->get()).loopback);
}

TEST(Socket, NamesTheAddressItCannotListenOn) {
    const core::Result<net::Fd> socket =
        net::open_listening_socket("192.0.2.1", 7777);  // for documentation only
    ASSERT_FALSE(socket);
    EXPECT_EQ(socket.error().message,
              "cannot listen on port 7777 on 192.0.2.1: this machine does not have that address");
}

TEST(Socket, AnyAddressIsNotLoopback) {
    const core::Result<net::Fd> socket = net::open_listening_socket("0.0.0.0", 0);
    ASSERT_TRUE(socket) << socket.error().message;
    EXPECT_FALSE(net::local_endpoint(socket->get()).loopback);
}

TEST(Socket, AcceptsWithTheOptionsOfTheListeningSocket) {
    const core::Result<net::Fd> socket = net::open_listening_socket("127.0.0.1", 0);
    ASSERT_TRUE(socket) << socket.error().message;
    net::tune(socket->get(), std::chrono::seconds(60));
    TestClient client;
    ASSERT_TRUE(client.connect(net::local_endpoint(socket->get()).port));
    const net::Accepted accepted = net::accept_from(socket->get());
    ASSERT_TRUE(accepted.socket) << "errno " << accepted.errno_value;
    EXPECT_TRUE(accepted.peer.loopback);
    int keepalive = 0;
    socklen_t size = sizeof keepalive;
    ::getsockopt(accepted.socket.get(), SOL_SOCKET, SO_KEEPALIVE, &keepalive, &size);
    EXPECT_NE(keepalive, 0) << "an accepted socket inherits keepalive";
    int user_timeout_ms = 0;
    ::getsockopt(accepted.socket.get(), IPPROTO_TCP, TCP_USER_TIMEOUT, &user_timeout_ms, &size);
    EXPECT_EQ(user_timeout_ms, 120'000) << "a peer that takes nothing any more is given up";
}

TEST(Socket, SaysWhenNobodyIsThereToAccept) {
    const core::Result<net::Fd> socket = net::open_listening_socket("127.0.0.1", 0);
    ASSERT_TRUE(socket) << socket.error().message;
    EXPECT_EQ(net::accept_from(socket->get()).errno_value, EAGAIN);
}

}  // namespace
}  // namespace evertick::test
