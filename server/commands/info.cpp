// INFO STATUS: the state of the server, for programs and for people.

#include <algorithm>
#include <array>
#include <cstdio>

#include <unistd.h>

#include "core/quote.hpp"
#include "server/commands/command.hpp"
#include "server/commands/figures.hpp"
#include "server/commands/table.hpp"
#include "server/version.hpp"
#include "server/world/component_type.hpp"
#include "server/world/quarantine.hpp"

namespace evertick::commands {
namespace {

using core::ErrorCode;
using core::failure;
using core::Result;

// ---- INFO: "name:value" lines in sections, as Redis clients parse them ----

class InfoText {
  public:
    void section(std::string_view name) {
        text_ += (text_.empty() ? "# " : "\r\n# ") + std::string(name) + "\r\n";
    }
    void line(std::string_view name, std::string_view value) {
        text_ += std::string(name) + ":" + std::string(value) + "\r\n";
    }
    void line(std::string_view name, std::uint64_t value) { line(name, std::to_string(value)); }
    const std::string& text() const { return text_; }

  private:
    std::string text_;
};

void server_section(const Context& context, InfoText& info) {
    info.line("evertick_version", kVersion);
    info.line("process_id", static_cast<std::uint64_t>(::getpid()));
    info.line("tcp_port", context.process.command_port());
    info.line("uptime_in_seconds", static_cast<std::uint64_t>(context.process.uptime_seconds()));
    info.line("loading", std::uint64_t{0});
}

void clients_section(const Context& context, InfoText& info) {
    info.line("connected_clients", context.sessions.count());
    info.line("blocked_clients", std::uint64_t{0});  // redis-cli --stat shows it
}

void memory_section(const Context& context, InfoText& info) {
    const MemoryStatus memory = context.process.memory();
    info.line("used_memory", memory.live_bytes);
    info.line("used_memory_rss", memory.rss_bytes);
    info.line("live_bytes", memory.live_bytes);
    info.line("reserved_bytes", memory.reserved_bytes);
    info.line("spatial_index_bytes", context.world.spatial_index.allocated_bytes());  // of the live ones
}

void stats_section(const Context& context, InfoText& info) {
    const Traffic traffic = context.process.traffic();
    info.line("total_connections_received", traffic.connections);
    info.line("total_commands_processed", traffic.commands);
    info.line("total_error_replies", traffic.errors);
}

void tick_section(const Context& context, InfoText& info) {
    const ClockStatus clock = context.clock.status();
    info.line("tick", context.world.tick);
    info.line("tick_rate", fixed(clock.rate_hz, 3));
    info.line("tick_duration_p99_us", static_cast<std::uint64_t>(clock.tick.p99 * 1e6));
    info.line("tick_jitter_p99_us", static_cast<std::uint64_t>(clock.jitter.p99 * 1e6));
    info.line("tick_overruns", clock.overruns);
    info.line("ticks_skipped", clock.skipped);
}

void world_section(const Context& context, InfoText& info) {
    const world::World& world = context.world;
    info.line("entities", world.registry.alive_count());
    info.line("seed", world.seed);
    info.line("spawned", world.counters.spawned);
    info.line("destroyed", world.counters.destroyed);
    info.line("deaths", world.counters.deaths);
    info.line("expired", world.counters.expired);
    info.line("clamped", world.counters.clamped);
    info.line("quarantined", world.registry.count<world::Quarantined>());
    info.line("spatial_index_rebuilds", world.spatial_index.rebuilds());
    for (const world::ComponentType& type : world::component_types())
        info.line("component_" + std::string(type.name), type.count(world.registry));
}

// As redis-cli --stat and its like count keys.
void keyspace_section(const Context& context, InfoText& info) {
    if (const std::size_t alive = context.world.registry.alive_count(); alive > 0)
        info.line("db0", "keys=" + std::to_string(alive) + ",expires=0,avg_ttl=0");
}

struct Section {
    std::string_view name;
    void (*write)(const Context&, InfoText&);
};
constexpr std::array kSections{Section{"Server", &server_section},    Section{"Clients", &clients_section},
                               Section{"Memory", &memory_section},    Section{"Stats", &stats_section},
                               Section{"Tick", &tick_section},        Section{"World", &world_section},
                               Section{"Keyspace", &keyspace_section}};

bool wants(std::span<const std::string_view> words, std::string_view section) {
    if (words.empty()) return true;
    for (const std::string_view word : words)
        if (equal_ignoring_case(word, section) || equal_ignoring_case(word, "all") ||
            equal_ignoring_case(word, "default") || equal_ignoring_case(word, "everything"))
            return true;
    return false;
}

// Sections that Redis has: libraries ask for them, and get nothing.
constexpr std::array<std::string_view, 13> kRedisSections{
    "all",          "default",    "everything", "persistence", "replication", "cpu",  "commandstats",
    "latencystats", "errorstats", "sentinel",   "cluster",     "modules",     "debug"};

Result<> check_section(std::string_view word) {
    const auto is_word = [&](std::string_view name) { return equal_ignoring_case(word, name); };
    if (std::ranges::any_of(kSections, is_word, &Section::name)) return {};
    if (std::ranges::any_of(kRedisSections, is_word)) return {};
    std::string names;
    for (const Section& section : kSections) names += (names.empty() ? "" : ", ") + std::string(section.name);
    return failure(ErrorCode::badarg, "no section " + core::quote(word) + "; there are " + names);
}

Result<> info(Call& call) {
    for (const std::string_view word : call.words)
        if (auto known = check_section(word); !known) return known;
    InfoText info;
    for (const Section& section : kSections) {
        if (!wants(call.words, section.name)) continue;
        info.section(section.name);
        section.write(call.context, info);
    }
    call.reply.verbatim(info.text());
    return {};
}

// ---- STATUS: one screen for a person ----

std::string milliseconds(double seconds) { return fixed(seconds * 1e3, 3) + " ms"; }

std::string status_text(const Context& context) {
    const ClockStatus clock = context.clock.status();
    const MemoryStatus memory = context.process.memory();
    const Traffic traffic = context.process.traffic();
    const world::World& world = context.world;
    std::string out = "evertick " + std::string(kVersion) + ", up " +
                      std::to_string(static_cast<std::uint64_t>(context.process.uptime_seconds())) +
                      " s, port " + std::to_string(context.process.command_port()) + "\n";
    out += "tick      " + std::to_string(world.tick) + " at " + fixed(clock.rate_hz, 1) + " Hz, each " +
           milliseconds(clock.tick.mean) + " (p99 " + milliseconds(clock.tick.p99) + "), starts late p99 " +
           milliseconds(clock.jitter.p99) + "\n";
    out += "overruns  " + std::to_string(clock.overruns) + ", caught up " + std::to_string(clock.caught_up) +
           ", skipped " + std::to_string(clock.skipped) + "\n";
    out += "entities  " + std::to_string(world.registry.alive_count()) + " (" +
           std::to_string(world.counters.spawned) + " spawned, " + std::to_string(world.counters.destroyed) +
           " destroyed, " + std::to_string(world.counters.deaths) + " deaths)\n";
    out += "memory    " + megabytes(memory.rss_bytes) + " resident, " + megabytes(memory.live_bytes) +
           " live, " + megabytes(memory.reserved_bytes) + " reserved\n";
    out += "clients   " + std::to_string(context.sessions.count()) + ", " + std::to_string(traffic.commands) +
           " commands, " + std::to_string(traffic.errors) + " errors\n";
    return out;
}

Result<> status(Call& call) {
    call.reply.verbatim(status_text(call.context));
    return {};
}

// ---- the table ----

constexpr std::array kSection{Argument{.name = "section", .optional = true, .multiple = true}};

constexpr std::array kInfoCommands{
    Command{
        "STATUS", "server", 1, Effect::reads, {}, "One screen: tick, entities, memory, clients.", &status},
    Command{"INFO", "server", -1, Effect::reads, kSection, "The same as name:value lines, by section.",
            &info},
};

}  // namespace

std::span<const Command> info_commands() { return kInfoCommands; }

}  // namespace evertick::commands
