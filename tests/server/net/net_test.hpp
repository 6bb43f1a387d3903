#pragma once
// A listener on a free loopback port, its loop and its clients, all on the test's own thread.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "server/net/event_loop.hpp"
#include "server/net/listener.hpp"
#include "tests/server/net/fake_sink.hpp"
#include "tests/server/net/test_client.hpp"

namespace evertick::test {

inline std::string repeated(std::string_view text, std::size_t count) {
    std::string all;
    for (; count > 0; --count) all += text;
    return all;
}

class NetTest : public ::testing::Test {
  protected:
    NetTest() {
        options.report = [this](std::string_view line) { reports.emplace_back(line); };
    }

    void listen() {
        listener = std::make_unique<net::Listener>(loop, sink, options);
        const core::Result<> opened = listener->open("127.0.0.1", 0);
        ASSERT_TRUE(opened) << opened.error().message;
    }

    TestClient& connect() {
        TestClient& client = clients.emplace_back();
        EXPECT_TRUE(client.connect(listener->port())) << "cannot connect to " << listener->local_address();
        return client;
    }

    // Serves, and drives the clients, until the condition holds. False when it has not come true for so long
    // that it never will.
    template <class Condition>
    bool serve_until(Condition holds) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (std::chrono::steady_clock::now() < end) {
            for (TestClient& client : clients) client.poll();
            if (holds()) return true;
            loop.serve_until(std::chrono::steady_clock::now() + std::chrono::milliseconds(1));
        }
        return false;
    }

    // Serves until the client holds so many bytes, or the connection ends. Returns what it holds.
    const std::string& hear(const TestClient& client, std::size_t size_bytes) {
        serve_until([&] { return client.received.size() >= size_bytes || client.ended; });
        return client.received;
    }
    const std::string& hear_to_the_end(const TestClient& client) {
        EXPECT_TRUE(serve_until([&] { return client.ended; })) << "the connection does not end";
        return client.received;
    }

    net::EventLoop loop;
    FakeSink sink;
    net::Options options;
    std::vector<std::string> reports;
    std::unique_ptr<net::Listener> listener;
    std::deque<TestClient> clients;
};

}  // namespace evertick::test
