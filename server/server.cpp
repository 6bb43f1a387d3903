#include "server/server.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <utility>

#include "config/access.hpp"
#include "config/reload.hpp"
#include "core/binned_allocator.hpp"
#include "core/page_source.hpp"
#include "core/schema.hpp"
#include "server/commands/execute.hpp"
#include "server/systems/schedule.hpp"
#include "server/version.hpp"
#include "server/world/scenario.hpp"

namespace evertick::server {
namespace {

using Steady = std::chrono::steady_clock;

constexpr Duration kHousekeeping = std::chrono::seconds(1);      // the loop comes round at least that often
constexpr Duration kPublishing = std::chrono::milliseconds(50);  // while somebody listens, tick or not
constexpr Duration kTrimInterval = std::chrono::seconds(1);  // how often idle memory goes back to the kernel
constexpr Duration kDrainLook = std::chrono::milliseconds(2);  // how often a drain looks whether it is done
constexpr std::size_t kWorthTrimming = std::size_t{16} << 20;  // bytes of the world that hold nothing

std::string joined(std::span<const std::string_view> names) {
    std::string out;
    for (const std::string_view name : names) out += (out.empty() ? "" : ", ") + std::string(name);
    return out;
}

}  // namespace

Server::Server(config::Loaded loaded, access::Users users, Log log, Reload reload)
    : loaded_(std::move(loaded)),
      log_(std::move(log)),
      reload_(std::move(reload)),
      world_(loaded_.settings.seed),
      signals_(loop_, [this](int signal) { on_signal(signal); }),
      clock_(
          pacing(loaded_.settings), &Steady::now,
          [this](const commands::Waiter& waiter, bool complete) { tick_reached(waiter, complete); },
          [this] { loop_.interrupt(); }),
      clients_(listener_),
      settings_(
          loaded_.settings,
          [this](const config::Settings& settings, auto named) { return change_settings(settings, named); },
          [this] { return reload_settings(); }),
      profile_(&Steady::now),
      process_(listener_, traffic_, Steady::now(), [this] { stop("SHUTDOWN"); }),
      streams_(world_, clients_),
      monitors_(clients_, &std::chrono::system_clock::now),
      gatekeeper_(loop_, listener_, std::move(users)),
      dispatcher_({world_, scratch_, clock_, clients_, settings_, process_, gatekeeper_, streams_, monitors_,
                   profile_, slow_log_, command_times_, long_commands_},
                  traffic_, [this] { loop_.interrupt(); }),
      listener_(loop_, dispatcher_, listener_options()) {
    world_.max_entities = loaded_.settings.max_entities;
    world_.regen_ticks = loaded_.settings.regen_ticks;
    slow_log_.set_limits(slow_log_limits(loaded_.settings));
}

ExitCode Server::run() {
    if (auto started = start(); !started) {
        log_.error(started.error().message);
        return ExitCode::bind;
    }
    announce();
    while (!stopping_) {
        serve();
        if (clock_.next_due() <= Steady::now())
            tick();
        else
            streams_.publish(scratch_);  // of commands, while no tick comes
        if (!long_commands_.empty()) work();
    }
    drain();
    log_.info("ended at tick " + std::to_string(world_.tick));
    return ExitCode::ok;
}

core::Result<> Server::start() {
    const config::Settings& settings = loaded_.settings;
    if (settings.huge_pages && !core::PageSource::process().advise_huge_pages())
        log_.warning("huge-pages: this kernel has none");
    const std::string_view scenario = words(settings.scenario)[std::to_underlying(settings.scenario)];
    if (const world::Scenario* found = world::find_scenario(scenario)) found->load(world_);
    auto listening = listener_.open(settings.bind, static_cast<std::uint16_t>(settings.port));
    if (listening && !settings.unix_path.empty())
        listening = listener_.open_unix(settings.unix_path, permissions(settings.unix_access));
    return listening;
}

void Server::announce() {
    const config::Settings& settings = loaded_.settings;
    std::string rate;
    core::append_text(rate, settings.tick_rate_hz);
    log_.info("evertick " + std::string(kVersion) + " ready on " + listener_.local_address() +
              (settings.unix_path.empty() ? "" : " and unix:" + settings.unix_path) + ", " + rate +
              " Hz, seed " + std::to_string(settings.seed) + ", " +
              std::to_string(world_.registry.alive_count()) + " entities, settings from " +
              config::sources(loaded_));
    log_.warning("the world is volatile: nothing is kept on disk, it ends with this process");
    std::printf("ready commands=%s http=off\n", listener_.local_address().c_str());
    std::fflush(stdout);
}

void Server::serve() {
    const Duration rest = streams_.empty() ? kHousekeeping : kPublishing;
    const TimePoint now = Steady::now();
    loop_.serve_until(long_commands_.empty() ? std::min(clock_.next_due(), now + rest) : now);
    log_.report_repeats();
    if (Steady::now() >= next_trim_) trim();
}

// What the allocators hold goes a bounded piece at a time, so that no tick waits for the kernel; more at once
// when there is more.
void Server::trim() {
    const TimePoint now = Steady::now();
    trim_world();
    core::BinnedAllocator::process().trim(false);
    const bool more = core::PageSource::process().trim(now) >= core::PageSource::kSlabBytes;
    next_trim_ = now + (more ? Duration::zero() : kTrimInterval);
}

// After a mass death. It takes milliseconds, so only for much, and not again before that has grown.
void Server::trim_world() {
    const ecs::Bytes bytes = world_.registry.bytes();
    trimmed_bytes_ = std::min(trimmed_bytes_, bytes.reserved);
    if (bytes.reserved < trimmed_bytes_ + kWorthTrimming || bytes.live > bytes.reserved / 4) return;
    try {
        world_.registry.trim();
    } catch (const std::bad_alloc&) {
        log_.debug("no memory to give the world's memory back");  // once more has died, it is tried again
    }
    trimmed_bytes_ = world_.registry.bytes().reserved;
}

void Server::tick() {
    const std::uint64_t quarantined = world_.counters.quarantined;
    clock_.begin_tick();
    systems::step(world_, clock_.dt(), scratch_, &profile_);
    clock_.end_tick();
    if (world_.counters.quarantined > quarantined)
        log_.error("a system gave " + std::to_string(world_.counters.quarantined - quarantined) +
                   " entities a value beyond its limits; QUARANTINE LIST shows what");
    streams_.publish(scratch_);
}

// One piece, so that the next tick starts late by no more than that. But when ticks take all the time there
// is, as much as a tick took: a CLEAR must not wait for the ticks that it would shorten.
void Server::work() {
    const TimePoint now = Steady::now();
    const TimePoint end = clock_.next_due() > now ? now : now + clock_.last_tick();
    do {
        if (auto done = long_commands_.work(world_.tick))
            listener_.resume(done->client_id, std::move(done->reply));
    } while (!long_commands_.empty() && Steady::now() < end);
}

void Server::drain() {
    clock_.pause();  // whoever waits for a STEP is told that it was cut short
    gatekeeper_.cut_short();
    listener_.stop_accepting();
    listener_.drain();
    const TimePoint patience =
        Steady::now() + std::chrono::duration_cast<Duration>(
                            std::chrono::duration<double>(loaded_.settings.shutdown_grace_seconds));
    while (!listener_.drained() && Steady::now() < patience) {
        loop_.serve_until(Steady::now() + (long_commands_.empty() ? kDrainLook : Duration::zero()));
        if (!long_commands_.empty()) work();
    }
    if (!listener_.drained()) log_.warning("closing clients that did not take their replies in time");
    listener_.close_all();
}

void Server::stop(std::string_view reason) {
    if (!stopping_) log_.info("stopping: " + std::string(reason));
    stopping_ = true;
    loop_.interrupt();
}

void Server::on_signal(int signal) {
    if (signal == SIGHUP) {
        if (const auto reloaded = reload_settings(); !reloaded)
            log_.error("settings not reloaded: " + reloaded.error().message);
        return;
    }
    if (stopping_) std::_Exit(std::to_underlying(ExitCode::internal));  // the second one: at once
    stop(signal == SIGTERM ? "SIGTERM" : "SIGINT");
}

core::Result<commands::Reloaded> Server::reload_settings() {
    const auto loaded = reload_();
    if (!loaded) return std::unexpected(loaded.error());
    auto users = read_users(loaded->settings);
    if (!users) return std::unexpected(users.error());
    gatekeeper_.replace(*std::move(users));
    config::Changes changes = config::changes(loaded_.settings, loaded->settings);
    take_over(config::reloaded(loaded_.settings, loaded->settings));
    log_.info("settings reloaded; changed: " +
              (changes.reloadable.empty() ? "nothing" : joined(changes.reloadable)));
    if (!changes.needs_restart.empty())
        log_.warning("settings that need a restart to change: " + joined(changes.needs_restart));
    return commands::Reloaded{std::move(changes.reloadable), std::move(changes.needs_restart)};
}

// A rate that is named counts against what TICK RATE has set meanwhile.
core::Result<> Server::change_settings(const config::Settings& settings,
                                       std::span<const std::string_view> named) {
    if (auto safe = config::check_access(settings); !safe) return safe;
    auto users = read_users(settings);
    if (!users) return std::unexpected(users.error());
    gatekeeper_.replace(*std::move(users));
    take_over(settings);
    if (std::ranges::find(named, "tick-rate") != named.end() &&
        clock_.status().rate_hz != settings.tick_rate_hz)
        clock_.set_rate(settings.tick_rate_hz);
    log_.info("settings changed by a client: " + joined(named));
    return {};
}

void Server::take_over(const config::Settings& settings) {
    const bool new_rate = settings.tick_rate_hz != loaded_.settings.tick_rate_hz;
    loaded_.settings = settings;
    if (new_rate) clock_.set_rate(settings.tick_rate_hz);
    log_.set_level(log_level(settings.log_level));
    slow_log_.set_limits(slow_log_limits(settings));
    listener_.set_options(listener_options());
}

void Server::tick_reached(const commands::Waiter& waiter, bool complete) {
    const core::Result<core::Tick> reached =
        complete ? core::Result<core::Tick>(world_.tick)
                 : core::failure(core::ErrorCode::err, "cut short at tick " + std::to_string(world_.tick));
    std::string reply;
    commands::write_tick_reached(waiter, reached, world_.tick, reply);
    listener_.resume(waiter.client_id, std::move(reply));
}

Ended run_server(config::Loaded loaded, Server::Reload reload) try {
    auto log = Log::open(log_options(loaded.settings));
    if (!log) return {ExitCode::usage, log.error().message};
    auto users = read_users(loaded.settings);
    if (!users) return {ExitCode::usage, users.error().message};
    return {Server(std::move(loaded), *std::move(users), std::move(*log), std::move(reload)).run(), {}};
} catch (const std::exception& error) {
    return {ExitCode::internal, std::string("cannot go on: ") + error.what()};
}

net::Options Server::listener_options() {
    net::Options options = net_options(loaded_.settings);
    options.report = [this](std::string_view message) { log_.warning(message); };
    return options;
}

}  // namespace evertick::server
