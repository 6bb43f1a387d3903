// SLOWLOG LATENCY PROFILE: where the time goes.

#include <array>

#include "server/commands/arguments.hpp"
#include "server/commands/command.hpp"
#include "server/commands/command_times.hpp"
#include "server/commands/durations.hpp"
#include "server/commands/slow_log.hpp"
#include "server/commands/table.hpp"

namespace evertick::commands {
namespace {

using core::ErrorCode;
using core::failure;
using core::Result;

// ---- SLOWLOG: the replies are Redis's, which its clients take apart ----

constexpr std::size_t kDefaultSlowCommands = 10;

void write_slow(protocol::ReplyWriter& reply, const SlowCommand& slow) {
    const auto since_1970 = std::chrono::duration_cast<std::chrono::seconds>(slow.at.time_since_epoch());
    reply.array(6);
    reply.integer(static_cast<std::int64_t>(slow.id));
    reply.integer(since_1970.count());
    reply.integer(slow.duration.count());
    reply.array(slow.words.size());
    for (const std::string& word : slow.words) reply.text(word);
    reply.text(slow.address);
    reply.text(slow.name);
}

Result<> slowlog_get(Call& call) {
    const auto& entries = call.context.slow_log.entries();
    std::size_t count = kDefaultSlowCommands;
    if (!call.words.empty() && call.words[0] == "-1") {
        count = entries.size();  // Redis's way to say all
    } else if (!call.words.empty()) {
        const auto wanted = parse_whole("count", call.words[0], 0, std::uint64_t{1} << 32);
        if (!wanted) return failure(ErrorCode::badarg, wanted.error().message + ", or -1 for all");
        count = *wanted;
    }
    count = std::min(count, entries.size());
    call.reply.array(count);
    for (std::size_t i = 0; i < count; ++i) write_slow(call.reply, entries[i]);
    return {};
}

Result<> slowlog_length(Call& call) {
    call.reply.integer(static_cast<std::int64_t>(call.context.slow_log.entries().size()));
    return {};
}

Result<> slowlog_reset(Call& call) {
    call.context.slow_log.clear();
    call.reply.ok();
    return {};
}

// ---- LATENCY ----

Result<> latency(Call& call) {
    const ClockStatus clock = call.context.clock.status();
    const CommandTimes& times = call.context.command_times;
    const auto commands = all_commands();
    std::size_t used = 0;
    for (std::size_t i = 0; i < commands.size(); ++i) used += times.calls(i) > 0 ? 1U : 0U;
    call.reply.map(3);
    write_durations(call.reply, "tick_ms", clock.tick, kMilliseconds);
    write_durations(call.reply, "tick_late_ms", clock.jitter, kMilliseconds);
    call.reply.key("commands");
    call.reply.map(used);
    for (std::size_t i = 0; i < commands.size(); ++i) {
        if (times.calls(i) == 0) continue;
        call.reply.key(wire_name(*commands[i]));
        call.reply.map(2);
        write_integer(call.reply, "calls", times.calls(i));
        write_durations(call.reply, "us", times.summary(i), kMicroseconds);
    }
    return {};
}

Result<> latency_reset(Call& call) {
    call.context.command_times.clear();
    call.reply.ok();
    return {};
}

// ---- PROFILE ----

Result<> profile(Call& call) {
    const std::vector<SystemTime> systems = call.context.profile.systems();
    const ClockStatus clock = call.context.clock.status();
    call.reply.map(3);
    write_integer(call.reply, "window_ticks", clock.window_ticks);
    write_durations(call.reply, "tick_us", clock.tick, kMicroseconds);
    call.reply.key("systems_us");
    call.reply.map(systems.size());
    for (const SystemTime& system : systems)
        write_durations(call.reply, system.name, system.time, kMicroseconds);
    return {};
}

// ---- the table ----

constexpr std::array kEntryCount{Argument{.name = "count", .type = ArgumentType::integer, .optional = true}};

constexpr std::array kDiagnosisCommands{
    Command{"SLOWLOG", "server", -2, kReads, {}, "Looks at the commands that took long.", nullptr},
    Command{"SLOWLOG GET", "server", -2, kReads, kEntryCount,
            "The newest of them (default 10): id, Unix time, microseconds, words, client's address and name.",
            &slowlog_get, "SLOWLOG GET 5"},
    Command{"SLOWLOG LEN", "server", 2, kReads, {}, "How many are kept.", &slowlog_length},
    Command{"SLOWLOG RESET", "server", 2, Effect::controls, {}, "Forgets them.", &slowlog_reset},
    Command{"LATENCY",
            "server",
            1,
            kReads,
            {},
            "How long ticks and commands take: mean, p50, p99, max, and how late ticks start.",
            &latency},
    Command{"LATENCY RESET",
            "server",
            2,
            Effect::controls,
            {},
            "Forgets the commands' part of it.",
            &latency_reset},
    Command{"PROFILE", "server", 1, kReads, {}, "How long each system takes in a tick.", &profile},
};

}  // namespace

std::span<const Command> diagnosis_commands() { return kDiagnosisCommands; }

}  // namespace evertick::commands
