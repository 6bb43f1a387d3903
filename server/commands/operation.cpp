// STATUS INFO CONFIG LOG SHUTDOWN: the server as a process.

#include <array>
#include <cstdio>

#include <unistd.h>

#include "core/quote.hpp"
#include "server/commands/arguments.hpp"
#include "server/commands/command.hpp"
#include "server/commands/table.hpp"
#include "server/commands/wildcard.hpp"
#include "server/version.hpp"
#include "server/world/component_type.hpp"

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

std::string fixed(double value, int decimals) {
    std::array<char, 64> buffer;
    const int length = std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
    return {buffer.data(), static_cast<std::size_t>(length)};
}

void server_section(const Context& context, InfoText& info) {
    info.line("evertick_version", kVersion);
    info.line("process_id", static_cast<std::uint64_t>(::getpid()));
    info.line("tcp_port", context.process.command_port());
    info.line("uptime_in_seconds", static_cast<std::uint64_t>(context.process.uptime_seconds()));
    info.line("loading", std::uint64_t{0});
}

void clients_section(const Context& context, InfoText& info) {
    info.line("connected_clients", context.sessions.count());
}

void memory_section(const Context& context, InfoText& info) {
    const MemoryStatus memory = context.process.memory();
    info.line("used_memory_rss", memory.rss_bytes);
    info.line("live_bytes", memory.live_bytes);
    info.line("reserved_bytes", memory.reserved_bytes);
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
    for (const world::ComponentType& type : world::component_types())
        info.line("component_" + std::string(type.name), type.count(world.registry));
}

struct Section {
    std::string_view name;
    void (*write)(const Context&, InfoText&);
};
constexpr std::array kSections{Section{"Server", &server_section}, Section{"Clients", &clients_section},
                               Section{"Memory", &memory_section}, Section{"Stats", &stats_section},
                               Section{"Tick", &tick_section},     Section{"World", &world_section}};

bool wants(std::span<const std::string_view> words, std::string_view section) {
    if (words.empty()) return true;
    for (const std::string_view word : words)
        if (equal_ignoring_case(word, section) || equal_ignoring_case(word, "all") ||
            equal_ignoring_case(word, "default") || equal_ignoring_case(word, "everything"))
            return true;
    return false;
}

// Sections that Redis has: libraries ask for them, and get nothing.
constexpr std::array<std::string_view, 14> kRedisSections{
    "all",          "default",    "everything", "persistence", "replication", "cpu",     "commandstats",
    "latencystats", "errorstats", "sentinel",   "cluster",     "keyspace",    "modules", "debug"};

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

std::string megabytes(std::uint64_t bytes) { return fixed(static_cast<double>(bytes) / 1e6, 1) + " MB"; }
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

// ---- CONFIG, LOG, SHUTDOWN ----

// What redis-benchmark asks before it starts; there is no persistence to report.
constexpr std::array<std::array<std::string_view, 2>, 2> kRedisSettings{{{"save", ""}, {"appendonly", "no"}}};

constexpr std::size_t kMaxPatterns = 128;  // each is matched with every name

Result<> config_get(Call& call) {
    if (call.words.size() > kMaxPatterns)
        return failure(ErrorCode::limit, "at most " + std::to_string(kMaxPatterns) + " patterns");
    for (const std::string_view pattern : call.words)
        if (auto fits = check_pattern(pattern); !fits) return fits;
    std::vector<SettingText> settings = call.context.settings.all();
    for (const auto& [name, value] : kRedisSettings) settings.push_back({name, std::string(value)});
    std::erase_if(settings, [&](const SettingText& setting) {
        return std::ranges::none_of(call.words,
                                    [&](auto pattern) { return matches_wildcard(pattern, setting.name); });
    });
    call.reply.map(settings.size());
    for (const SettingText& setting : settings) {
        call.reply.key(setting.name);
        call.reply.text(setting.value);
    }
    return {};
}

Result<> log_level(Call& call) {
    if (auto set = call.context.settings.set_log_level(call.words[0]); !set) return set;
    call.reply.ok();
    return {};
}

Result<> shutdown(Call& call) {
    if (!call.words.empty() && equal_ignoring_case(call.words[0], "SAVE"))
        return failure(ErrorCode::err, "this server keeps nothing on disk yet: use SHUTDOWN NOSAVE");
    if (!call.words.empty() && !equal_ignoring_case(call.words[0], "NOSAVE"))
        return failure(ErrorCode::badarg, "SHUTDOWN takes NOSAVE, not " + core::quote(call.words[0]));
    call.context.process.shut_down();
    call.reply.ok();
    call.after = After::close;
    return {};
}

// ---- the table ----

constexpr std::array kSection{Argument{.name = "section", .optional = true, .multiple = true}};
constexpr std::array kPattern{Argument{.name = "pattern", .multiple = true}};
constexpr std::array kLevels{
    Argument{.name = "trace", .type = ArgumentType::pure_token, .token = "trace"},
    Argument{.name = "debug", .type = ArgumentType::pure_token, .token = "debug"},
    Argument{.name = "info", .type = ArgumentType::pure_token, .token = "info"},
    Argument{.name = "warning", .type = ArgumentType::pure_token, .token = "warning"},
    Argument{.name = "error", .type = ArgumentType::pure_token, .token = "error"}};
constexpr std::array kLevel{Argument{.name = "level", .type = ArgumentType::one_of, .parts = kLevels}};
constexpr std::array kNoSave{
    Argument{.name = "nosave", .type = ArgumentType::pure_token, .token = "NOSAVE", .optional = true}};

constexpr std::array kCommands{
    Command{
        "STATUS", "server", 1, Effect::reads, {}, "One screen: tick, entities, memory, clients.", &status},
    Command{"INFO", "server", -1, Effect::reads, kSection, "The same as name:value lines, by section.",
            &info},
    Command{"CONFIG", "server", -2, Effect::reads, {}, "Looks at the settings.", nullptr},
    Command{"CONFIG GET", "server", -3, Effect::reads, kPattern, "Settings whose names match the patterns.",
            &config_get},
    Command{"LOG", "server", -2, Effect::controls, {}, "Controls the log.", nullptr},
    Command{"LOG LEVEL", "server", 3, Effect::controls, kLevel, "Sets how much is logged.", &log_level},
    Command{"SHUTDOWN", "server", -1, Effect::controls, kNoSave,
            "Ends the server; every reply is sent first.", &shutdown},
};

}  // namespace

std::span<const Command> server_commands() { return kCommands; }

}  // namespace evertick::commands
