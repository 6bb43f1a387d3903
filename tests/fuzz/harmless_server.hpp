#pragma once
// The server without what reaches outside: its own dispatcher, commands, clock, systems, streams and writers,
// on a small world, for clients without sockets. Time comes from tick(), passwords are judged by comparing,
// settings change nothing but themselves. Two servers told the same do the same.
//
// Checked on the way, for each command:
//   - it is answered by exactly one reply (SUBSCRIBE and its kin: one for each name), at once or later,
//     well-formed in the encoding of its client
//   - one that fails, waits for EXEC, or only looks, leaves the world as it was
//   - what it answers is bounded

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/settings.hpp"
#include "core/mem_stack.hpp"
#include "server/adapters.hpp"
#include "server/dispatcher.hpp"
#include "server/simulation_clock.hpp"
#include "server/tick_profile.hpp"
#include "server/world/world.hpp"
#include "tests/server/commands/fake_server.hpp"

namespace evertick::fuzz {

class HarmlessServer final : public commands::Sessions, public commands::Access {
  public:
    static constexpr std::uint64_t kMaxEntities = 2200;  // so that SPAWN COUNT may need a second piece
    static constexpr std::size_t kMaxReplyBytes = std::size_t{1} << 20;
    static constexpr std::size_t kMaxExecBytes = (std::size_t{16} << 20) + kMaxReplyBytes;
    static constexpr std::size_t kPushQueueBytes = 2048;

    HarmlessServer();

    // --- what clients do ---

    std::uint64_t connect();                           // returns the client's id
    bool is_connected(std::uint64_t client_id) const;  // false once it is closed
    void receive(std::uint64_t client_id, std::string_view bytes);
    void end_input(std::uint64_t client_id);    // its FIN
    void read_pushes(std::uint64_t client_id);  // makes room for more
    void vanish(std::uint64_t client_id);

    // --- what happens meanwhile ---

    void tick();           // one period passes
    void work();           // one piece of a long command, or of a login
    void ask_passwords();  // from now on there is one: "secret"

    // Brings everything under way to its end, disconnects everybody, and checks what is left.
    void end();

    // --- what commands know ---

    std::size_t count() const override { return peers_.size(); }
    void for_each(const std::function<void(const protocol::Client&)>& visit) const override;
    bool kill(std::uint64_t client_id) override;
    const protocol::Client* find(std::uint64_t client_id) const override;
    bool push(std::uint64_t client_id, std::string_view bytes) override;
    bool asks() const override { return asks_; }
    core::Result<> log_in(const protocol::Client& client, std::string_view user, std::string_view password,
                          Answer answer) override;

  private:
    enum class State : std::uint8_t { open, waiting, closed };

    struct Peer {
        Peer(protocol::Client made, const protocol::RequestLimits& limits)
            : client(std::move(made)), parser(limits) {}

        protocol::Client client;
        protocol::RequestParser parser;
        State state = State::open;
        bool input_ended = false;
        protocol::Encoding awaited = protocol::Encoding::resp2;  // of the reply that comes later
        std::size_t unread_bytes = 0;                            // pushed
    };

    struct Login {
        std::uint64_t client_id;
        core::Result<protocol::Role> verdict;
        Answer answer;
    };

    void execute(Peer& peer);
    void execute_request(Peer& peer);
    static void check_reply(const commands::Command* command, std::string_view reply,
                            protocol::Encoding encoding, bool waits);
    void resume(std::uint64_t client_id, std::string_view reply);
    void answer_login();
    void follow_role(Peer& peer);
    void take_over(const config::Settings& settings);
    void tick_reached(const commands::Waiter& waiter, bool complete);
    void close(std::uint64_t client_id);
    bool is_idle() const;
    std::size_t digest();  // of the world's state

    config::Settings settings_;
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
    std::map<std::uint64_t, Peer> peers_;
    std::vector<Login> logins_;
    std::uint64_t last_id_ = 0;
    std::uint64_t executing_ = 0;  // the client whose request is being executed
    std::uint64_t requests_ = 0;
    bool asks_ = false;
    std::optional<std::size_t> digest_;  // as of the last look, unless something may have changed since
};

}  // namespace evertick::fuzz
