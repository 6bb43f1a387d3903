#pragma once
// Between net and commands: each request runs at once, on the simulation thread, and is counted.

#include <functional>
#include <utility>

#include "server/commands/command.hpp"
#include "server/commands/context.hpp"
#include "server/net/request_sink.hpp"

namespace evertick::server {

class Dispatcher final : public net::RequestSink {
  public:
    // Told when a request left work for the loop, which otherwise sleeps until the next tick, or on.
    using LeftWork = std::function<void()>;

    // Counts into traffic, which outlives it.
    Dispatcher(commands::Context context, commands::Traffic& traffic, LeftWork left_work)
        : context_(context), traffic_(traffic), left_work_(std::move(left_work)) {}

    void connected(protocol::Client& client) override;
    void disconnected(protocol::Client& client) override;
    net::Next request(protocol::Client& client, const protocol::Request& request, std::string& out) override;
    void took(protocol::Client& client, std::chrono::steady_clock::duration spent) override;
    void protocol_error(protocol::Client& client, const core::Error& error, std::string& out) override;

  private:
    bool loop_may_rest() const;

    commands::Context context_;
    commands::Traffic& traffic_;
    LeftWork left_work_;
    // The request that took() is about.
    const commands::Command* command_ = nullptr;
    std::size_t number_ = 0;
    std::span<const std::string_view> words_;
};

}  // namespace evertick::server
