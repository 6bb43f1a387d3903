#pragma once
// The server: owns everything, in dependency order, and runs the one loop that serves clients until the next
// tick is due and then ticks. Single-threaded: the simulation, the commands and the sockets take turns.

#include <functional>
#include <string>
#include <string_view>

#include "config/load.hpp"
#include "core/mem_stack.hpp"
#include "core/result.hpp"
#include "server/adapters.hpp"
#include "server/commands/command_times.hpp"
#include "server/commands/long_command.hpp"
#include "server/commands/monitor.hpp"
#include "server/commands/slow_log.hpp"
#include "server/commands/streams.hpp"
#include "server/dispatcher.hpp"
#include "server/exit_code.hpp"
#include "server/gatekeeper.hpp"
#include "server/log/log.hpp"
#include "server/net/event_loop.hpp"
#include "server/net/listener.hpp"
#include "server/net/signals.hpp"
#include "server/simulation_clock.hpp"
#include "server/tick_profile.hpp"
#include "server/world/world.hpp"

namespace evertick::server {

class Server {
  public:
    // Reads the settings once more, as at the start, when SIGHUP comes.
    using Reload = std::function<core::Result<config::Loaded>()>;

    Server(config::Loaded loaded, access::Users users, Log log, Reload reload);

    // Listens, prints the ready line, serves and ticks until told to stop; then sends every reply.
    ExitCode run();

  private:
    core::Result<> start();
    void serve();
    void trim();
    void trim_world();
    void tick();
    void work();
    void drain();
    void stop(std::string_view reason);
    void on_signal(int signal);
    core::Result<commands::Reloaded> reload_settings();
    core::Result<> change_settings(const config::Settings& settings, std::span<const std::string_view> named);
    void take_over(const config::Settings& settings);
    void tick_reached(const commands::Waiter& waiter, bool complete);
    void announce();
    net::Options listener_options();

    config::Loaded loaded_;
    Log log_;
    Reload reload_;
    world::World world_;
    core::MemStack scratch_;
    net::EventLoop loop_;
    net::SignalSource signals_;
    SimulationClock clock_;
    ClientList clients_;
    LiveSettings settings_;
    commands::Traffic traffic_;
    TickProfile profile_;
    commands::SlowLog slow_log_;
    commands::CommandTimes command_times_;
    commands::LongCommands long_commands_;
    HostProcess process_;
    commands::Streams streams_;
    commands::Monitors monitors_;
    Gatekeeper gatekeeper_;
    Dispatcher dispatcher_;
    net::Listener listener_;
    TimePoint next_trim_;
    std::size_t trimmed_bytes_ = 0;  // what the world held after it was trimmed, or has held since
    bool stopping_ = false;
};

struct Ended {
    ExitCode code = ExitCode::ok;
    std::string complaint;  // why it could not start or go on; empty when the log has said all
};

// Opens the log, then a server, and runs it to its end. Memory or descriptors that are not there do not
// escape.
Ended run_server(config::Loaded loaded, Server::Reload reload);

}  // namespace evertick::server
