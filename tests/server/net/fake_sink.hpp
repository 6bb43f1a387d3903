#pragma once
// A RequestSink with a handful of commands made for testing connections.

#include <charconv>
#include <chrono>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "server/net/request_sink.hpp"

namespace evertick::test {

class FakeSink final : public net::RequestSink {
  public:
    void connected(protocol::Client& client) override {
        client.role = first_role;
        connected_ids.push_back(client.id);
    }
    void disconnected(protocol::Client& client) override { disconnected_ids.push_back(client.id); }

    //   ECHO x   answers +x         QUIT    answers +OK and closes    CALL   calls on_call with the client's
    //   id BYTES n  answers n bytes    WAIT    answers later             SPIN n works for n microseconds
    //   THROW    throws         LOGIN   makes it a client that may do everything
    net::Next request(protocol::Client& client, const protocol::Request& request, std::string& out) override {
        ++executed[client.id];
        const std::string_view command = request.words[0];
        const std::string_view argument = request.words.size() > 1 ? request.words[1] : std::string_view();
        if (command == "BYTES") out.append(number(argument), 'x');
        if (command == "SPIN") spin(std::chrono::microseconds(number(argument)));
        if (command == "LOGIN") client.role = protocol::Role::full;
        if (command == "CALL") on_call(client.id);
        if (command == "THROW") throw std::runtime_error("thrown by a command");
        if (command == "WAIT") return net::Next::wait;
        out.append("+").append(command == "ECHO" ? argument : "OK").append("\r\n");
        return command == "QUIT" ? net::Next::close : net::Next::proceed;
    }

    void took(protocol::Client&, std::chrono::steady_clock::duration spent) override {
        times.push_back(spent);
    }

    void protocol_error(protocol::Client&, const core::Error& error, std::string& out) override {
        out += "-" + error.message + "\r\n";
    }

    protocol::Role first_role = protocol::Role::full;
    std::vector<std::uint64_t> connected_ids, disconnected_ids;
    std::map<std::uint64_t, std::size_t> executed;           // by client id
    std::vector<std::chrono::steady_clock::duration> times;  // that requests took
    std::function<void(std::uint64_t client_id)> on_call;

  private:
    static std::size_t number(std::string_view text) {
        std::size_t value = 0;
        std::from_chars(text.data(), text.data() + text.size(), value);
        return value;
    }

    static void spin(std::chrono::microseconds duration) {
        const auto end = std::chrono::steady_clock::now() + duration;
        while (std::chrono::steady_clock::now() < end) {
        }
    }
};

}  // namespace evertick::test
