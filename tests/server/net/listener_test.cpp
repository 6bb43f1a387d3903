#include "server/net/listener.hpp"

#include <fcntl.h>
#include <sys/resource.h>

#include <set>

#include "tests/server/net/net_test.hpp"

namespace evertick::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Listener : public NetTest {};

TEST_F(Listener, SaysWhereItListens) {
    listen();
    EXPECT_NE(listener->port(), 0);
    EXPECT_EQ(listener->local_address(), "127.0.0.1:" + std::to_string(listener->port()));
    listener->stop_accepting();
    EXPECT_EQ(listener->local_address(), "");
}

TEST_F(Listener, NamesThePortThatIsInUse) {
    listen();
    net::Listener second(loop, sink, options);
    const core::Result<> opened = second.open("127.0.0.1", listener->port());
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().message,
              "port " + std::to_string(listener->port()) +
                  " on 127.0.0.1 is already in use; --port N takes another, --port 0 a free one");
}

TEST_F(Listener, TellsItsClientsApart) {
    listen();
    connect();
    connect();
    EXPECT_TRUE(serve_until([&] { return listener->client_count() == 2; }));
    std::vector<std::uint64_t> ids;
    std::set<std::string> addresses;
    listener->for_each_client([&](const protocol::Client& client) {
        ids.push_back(client.id);
        addresses.insert(client.address);
        EXPECT_EQ(client.local_address, listener->local_address());
        EXPECT_NE(client.connected_at, net::EventLoop::TimePoint());
    });
    EXPECT_THAT(ids, ElementsAre(1U, 2U));
    EXPECT_THAT(addresses, AllOf(::testing::SizeIs(2), ::testing::Each(StartsWith("127.0.0.1:"))));
}

TEST_F(Listener, FindsAClientById) {
    listen();
    connect();
    EXPECT_TRUE(serve_until([&] { return listener->client_count() == 1; }));
    ASSERT_NE(listener->find(1), nullptr);
    EXPECT_EQ(listener->find(1)->id, 1U);
    EXPECT_EQ(listener->find(2), nullptr);
}

TEST_F(Listener, NeverReusesAnId) {
    listen();
    for (int i = 0; i < 3; ++i) {
        connect().finish();
        EXPECT_TRUE(serve_until([&] { return sink.disconnected_ids == sink.connected_ids; }));
    }
    connect();
    EXPECT_TRUE(serve_until([&] { return listener->client_count() == 1; }));
    EXPECT_EQ(sink.connected_ids.back(), sink.connected_ids.size());
}

TEST_F(Listener, RefusesClientsBeyondTheLimitUntilItIsRaised) {
    options.max_clients = 2;
    listen();
    connect();
    connect();
    EXPECT_EQ(hear_to_the_end(connect()), "-ERR max number of clients reached\r\n");
    EXPECT_EQ(listener->client_count(), 2U);
    EXPECT_THAT(reports, ElementsAre(HasSubstr("at most 2")));

    options.max_clients = 3;
    listener->set_options(options);
    TestClient& third = connect();
    third.say("ECHO in\n");
    EXPECT_EQ(hear(third, 5), "+in\r\n");
}

TEST_F(Listener, KeepsPlacesForLoopback) {
    options.max_clients = 100;
    EXPECT_TRUE(net::has_place(options, 91, false));
    EXPECT_FALSE(net::has_place(options, 92, false)) << "8 of 100 places are for loopback";
    EXPECT_TRUE(net::has_place(options, 99, true));
    EXPECT_FALSE(net::has_place(options, 100, true));
    options.max_clients = 1;
    EXPECT_TRUE(net::has_place(options, 0, false)) << "one place is for whoever comes first";
}

TEST_F(Listener, KillsAClientAtOnce) {
    listen();
    TestClient& client = connect();
    TestClient& other = connect();
    EXPECT_TRUE(serve_until([&] { return listener->client_count() == 2; }));
    EXPECT_TRUE(listener->kill(1));
    EXPECT_FALSE(listener->kill(1)) << "it is gone";
    EXPECT_EQ(hear_to_the_end(client), "");
    other.say("ECHO alive\n");
    EXPECT_EQ(hear(other, 8), "+alive\r\n");
    EXPECT_THAT(sink.disconnected_ids, ElementsAre(1U));
}

TEST_F(Listener, LetsAClientKillItselfAfterItsReply) {
    listen();
    sink.on_call = [&](std::uint64_t id) { EXPECT_TRUE(listener->kill(id)); };
    TestClient& client = connect();
    client.say("CALL\nECHO ignored\n");
    EXPECT_EQ(hear_to_the_end(client), "+OK\r\n");
    EXPECT_FALSE(client.was_reset);
}

TEST_F(Listener, LetsAClientCloseAllOfThem) {
    listen();
    sink.on_call = [&](std::uint64_t) { listener->close_all(); };
    TestClient& client = connect();
    TestClient& other = connect();
    client.say("CALL\n");
    hear_to_the_end(client);
    hear_to_the_end(other);
    EXPECT_EQ(listener->client_count(), 0U);
}

TEST_F(Listener, ClosesIdleClients) {
    options.idle_timeout = std::chrono::seconds(1);
    listen();
    TestClient& waiting = connect();
    waiting.say("WAIT\n");
    TestClient& idle = connect();
    EXPECT_EQ(hear_to_the_end(idle), "");
    EXPECT_EQ(listener->client_count(), 1U) << "a client that waits for its reply is not idle";
}

TEST_F(Listener, AcceptsAThousandThatComeAndGo) {
    listen();
    for (int i = 0; i < 1000; ++i) {
        connect().close();
        clients.pop_back();
        loop.serve_ready(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(serve_until([&] { return sink.disconnected_ids.size() == 1000; }));
    TestClient& client = connect();
    client.say("ECHO alive\n");
    EXPECT_EQ(hear(client, 8), "+alive\r\n");
    EXPECT_EQ(listener->client_count(), 1U);
}

// Leaves the process room for so many more descriptors, for as long as it lives.
class DescriptorLimit {
  public:
    explicit DescriptorLimit(rlim_t more) {
        ::getrlimit(RLIMIT_NOFILE, &before_);
        const net::Fd next(::open("/dev/null", O_RDONLY | O_CLOEXEC));
        const rlimit lowered{.rlim_cur = static_cast<rlim_t>(next.get()) + more,
                             .rlim_max = before_.rlim_max};
        ::setrlimit(RLIMIT_NOFILE, &lowered);
    }
    ~DescriptorLimit() { ::setrlimit(RLIMIT_NOFILE, &before_); }

  private:
    rlimit before_{};
};

TEST_F(Listener, PausesWhileThereAreNoDescriptorsAndRecovers) {
    listen();
    for (int i = 0; i < 4; ++i) connect().say("ECHO here\n");  // not accepted yet
    {
        const DescriptorLimit limit(2);
        EXPECT_TRUE(serve_until([&] { return !reports.empty(); }));
        EXPECT_THAT(reports, ElementsAre(StartsWith("cannot accept connections for now")));
        EXPECT_EQ(hear(clients[0], 7), "+here\r\n");
        EXPECT_EQ(hear_to_the_end(clients[3]), "-ERR the server is out of file descriptors\r\n");
        EXPECT_EQ(listener->client_count(), 2U);
    }
    TestClient& later = connect();
    later.say("ECHO in\n");
    EXPECT_EQ(hear(later, 5), "+in\r\n");
}

TEST_F(Listener, DrainsWhatWasReceived) {
    options.commands_per_slice = 1;
    listen();
    TestClient& client = connect();
    sink.on_call = [&](std::uint64_t) {
        listener->stop_accepting();
        listener->drain();
        client.say("ECHO ignored\n");
    };
    client.say("CALL\n" + repeated("ECHO a\n", 20));
    EXPECT_EQ(hear_to_the_end(client), "+OK\r\n" + repeated("+a\r\n", 20));
    EXPECT_FALSE(client.was_reset);
    EXPECT_TRUE(serve_until([&] { return listener->drained(); }));
}

TEST_F(Listener, DrainsAnUnfinishedRequestWithoutAWord) {
    listen();
    TestClient& client = connect();
    client.say("ECHO a\nECHO unfin");
    EXPECT_EQ(hear(client, 4), "+a\r\n");
    listener->drain();
    EXPECT_EQ(hear_to_the_end(client), "+a\r\n");
}

TEST_F(Listener, DrainsAnIdleClientAtOnce) {
    listen();
    TestClient& client = connect();
    TestClient& other = connect();
    EXPECT_TRUE(serve_until([&] { return listener->client_count() == 2; }));
    listener->drain();
    EXPECT_TRUE(listener->drained()) << "nobody has anything to send or to take";
    for (const TestClient* each : {&client, &other}) {
        EXPECT_EQ(hear_to_the_end(*each), "");
        EXPECT_FALSE(each->was_reset);
    }
}

TEST_F(Listener, LingersForAClientThatHasSaidMoreThanWasRead) {
    listen();
    TestClient& client = connect();
    EXPECT_TRUE(serve_until([&] { return listener->client_count() == 1; }));
    client.say("ECHO ignored\n");
    listener->drain();
    EXPECT_FALSE(listener->drained()) << "a close now would be a reset";
    EXPECT_EQ(hear_to_the_end(client), "");
    EXPECT_FALSE(client.was_reset);
    EXPECT_TRUE(serve_until([&] { return listener->drained(); }));
}

TEST_F(Listener, LingersForAClientThatHasNotTakenItsReplies) {
    listen();
    TestClient& client = connect();
    client.stop_reading();
    client.say("BYTES 20000000\n");
    EXPECT_TRUE(serve_until([&] { return sink.executed[1] == 1; }));
    listener->drain();
    EXPECT_FALSE(listener->drained());
    client.read_on();
    EXPECT_EQ(hear_to_the_end(client).size(), 20'000'005U);
    EXPECT_FALSE(client.was_reset);
}

TEST_F(Listener, DrainsAWaitingClientOnceItIsResumed) {
    listen();
    TestClient& client = connect();
    client.say("WAIT\n");
    EXPECT_TRUE(serve_until([&] { return sink.executed[1] == 1; }));
    listener->drain();
    loop.serve_ready(std::chrono::milliseconds(1));
    EXPECT_FALSE(listener->drained());
    EXPECT_TRUE(listener->resume(1, "+resumed\r\n"));
    EXPECT_EQ(hear_to_the_end(client), "+resumed\r\n");
    EXPECT_TRUE(serve_until([&] { return listener->drained(); }));
}

TEST_F(Listener, DrainsFromWithinARequest) {
    listen();
    sink.on_call = [&](std::uint64_t) { listener->drain(); };
    TestClient& client = connect();
    TestClient& other = connect();
    client.say("CALL\nECHO received\n");
    EXPECT_EQ(hear_to_the_end(client), "+OK\r\n+received\r\n");
    EXPECT_EQ(hear_to_the_end(other), "");
}

TEST_F(Listener, ClosesEveryClientWhenItGoes) {
    listen();
    TestClient& client = connect();
    EXPECT_TRUE(serve_until([&] { return listener->client_count() == 1; }));
    listener.reset();
    EXPECT_THAT(sink.disconnected_ids, ElementsAre(1U));
    hear_to_the_end(client);
}

}  // namespace
}  // namespace evertick::test
