#pragma once
// The server without what reaches outside: its own exchanges with clients, logins and their penalties,
// dispatcher, commands, clock, systems, streams and writers, on a small world, for clients without sockets.
// Time comes from tick() and work(), password files hold plain text, so that no thread is needed, and
// settings change nothing but themselves. Two servers told the same do the same.
//
// Checked on the way, for each command:
//   - it is answered by exactly one reply (SUBSCRIBE and its kin: one for each name), at once or later,
//     well-formed in the encoding of its client
//   - one that fails, waits for EXEC, only looks, or comes from somebody who may only look, leaves the world
//     as it was; who has not logged in is refused everything but the login
//   - what it answers is bounded, and so is what a client may send before its login
//   - none runs for a client that leaves too much unread
// and of each login that it is judged rightly, and no sooner than its penalty allows.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "config/settings.hpp"
#include "core/mem_stack.hpp"
#include "server/access/hash_thread.hpp"
#include "server/access/logins.hpp"
#include "server/adapters.hpp"
#include "server/dispatcher.hpp"
#include "server/net/exchange.hpp"
#include "server/simulation_clock.hpp"
#include "server/tick_profile.hpp"
#include "server/world/world.hpp"
#include "tests/server/commands/fake_server.hpp"

namespace evertick::fuzz {

class HarmlessServer final : public commands::Sessions, public commands::Access, public net::RequestSink {
  public:
    static constexpr std::uint64_t kMaxEntities = 2200;  // so that SPAWN COUNT may need a second piece
    static constexpr std::size_t kMaxReplyBytes = std::size_t{1} << 20;
    static constexpr std::size_t kMaxExecBytes = (std::size_t{16} << 20) + kMaxReplyBytes;

    HarmlessServer();

    // --- what clients do ---

    std::uint64_t connect();                           // returns the client's id
    bool is_connected(std::uint64_t client_id) const;  // false once it is closed
    void receive(std::uint64_t client_id, std::string_view bytes);
    void end_input(std::uint64_t client_id);  // its FIN
    void stop_reading(std::uint64_t client_id);
    void read_on(std::uint64_t client_id);
    void vanish(std::uint64_t client_id) { close(client_id); }

    // --- what happens meanwhile ---

    void tick();           // one period passes
    void work();           // one piece of a long command; the next login that waits gets its time
    void ask_passwords();  // from now on both users have one: "secret"

    // Brings everything under way to its end, disconnects everybody, and checks what is left.
    void end();

    // --- what commands know ---

    std::size_t count() const override { return peers_.size(); }
    void for_each(const std::function<void(const protocol::Client&)>& visit) const override;
    bool kill(std::uint64_t client_id) override;
    const protocol::Client* find(std::uint64_t client_id) const override;
    bool push(std::uint64_t client_id, std::string_view bytes) override;
    bool asks() const override { return logins_.users().full != nullptr; }
    core::Result<> log_in(const protocol::Client& client, std::string_view user, std::string_view password,
                          Answer answer) override;

    // --- what the exchanges ask ---

    void connected(protocol::Client& client) override { dispatcher_.connected(client); }
    void disconnected(protocol::Client& client) override { dispatcher_.disconnected(client); }
    net::Next request(protocol::Client& client, const protocol::Request& request, std::string& out) override;
    void protocol_error(protocol::Client& client, const core::Error& error, std::string& out) override;

  private:
    struct Peer {
        Peer(const net::Options& options, net::RequestSink& sink, protocol::Client client)
            : exchange(options, sink, std::move(client)) {}

        net::Exchange exchange;
        protocol::Encoding awaited = protocol::Encoding::resp2;  // of the reply that comes later
        bool reads = true;
        bool input_ended = false;
        bool closing = false;
    };

    void serve(std::uint64_t client_id);
    void serve_all();
    bool run_requests(Peer& peer);
    void answer_logins();
    void resume(std::uint64_t client_id, std::string_view reply);
    void take_over(const config::Settings& settings);
    void tick_reached(const commands::Waiter& waiter, bool complete);
    void close(std::uint64_t client_id);
    bool is_idle() const;
    std::size_t digest();  // of the world's state

    config::Settings settings_;
    net::Options options_;
    server::TimePoint now_;
    world::World world_{1};
    core::MemStack scratch_;
    server::SimulationClock clock_;
    server::LiveSettings live_settings_;
    commands::Traffic traffic_;
    test::FakeProcess process_;
    server::TickProfile profile_;
    commands::SlowLog slow_log_;
    commands::CommandTimes command_times_;
    commands::LongCommands long_commands_;
    commands::Streams streams_{world_, *this};
    commands::Monitors monitors_;
    server::Dispatcher dispatcher_;
    access::HashThread no_thread_{[] {}};  // it begins with the first hash, and there is none
    access::Logins logins_{{}, no_thread_};
    std::map<std::uint64_t, Peer> peers_;
    std::uint64_t last_id_ = 0;
    std::uint64_t requests_ = 0;
    std::size_t pushed_bytes_ = 0;       // since the request under way began, to its own client
    std::optional<std::size_t> digest_;  // as of the last look, unless something may have changed since
};

}  // namespace evertick::fuzz
