// TICK INFO|PAUSE|RESUME|STEP|SPRINT|RATE: the clock.

#include <array>

#include "server/commands/arguments.hpp"
#include "server/commands/command.hpp"
#include "server/commands/durations.hpp"

namespace evertick::commands {
namespace {

using core::Result;

constexpr std::uint64_t kMaxSteps = 1'000'000'000;

std::string_view name(ClockState state) {
    constexpr std::array<std::string_view, 4> kNames{"running", "paused", "stepping", "sprinting"};
    return kNames.at(static_cast<std::size_t>(state));
}

Result<> tick_info(Call& call) {
    const ClockStatus status = call.context.clock.status();
    protocol::ReplyWriter& reply = call.reply;
    reply.map(11);
    write_integer(reply, "tick", call.context.world.tick);
    reply.key("state");
    reply.text(name(status.state));
    write_number(reply, "rate_hz", status.rate_hz);
    write_number(reply, "period_ms", 1000 / status.rate_hz);
    write_durations(reply, "duration_ms", status.tick, kMilliseconds);
    write_durations(reply, "jitter_ms", status.jitter, kMilliseconds);
    write_integer(reply, "window_ticks", status.window_ticks);
    write_integer(reply, "overruns", status.overruns);
    write_integer(reply, "caught_up", status.caught_up);
    write_integer(reply, "skipped", status.skipped);
    write_integer(reply, "suspends", status.suspends);
    return {};
}

Result<> pause(Call& call) {
    call.context.clock.pause();
    call.reply.ok();
    return {};
}

Result<> resume(Call& call) {
    call.context.clock.resume();
    call.reply.ok();
    return {};
}

Result<> rate(Call& call) {
    const auto hz = parse_decimal("RATE", call.words[0], kMinRateHz, kMaxRateHz);
    if (!hz) return std::unexpected(hz.error());
    call.context.clock.set_rate(*hz);
    call.reply.ok();
    return {};
}

// Starts a run of ticks whose reply comes when the last one is done.
Result<> run(Call& call, std::string_view what, Result<> (Clock::*start)(std::uint64_t, Waiter)) {
    std::uint64_t count = 1;
    if (!call.words.empty()) {
        const auto wanted = parse_whole(what, call.words[0], 1, kMaxSteps);
        if (!wanted) return std::unexpected(wanted.error());
        count = *wanted;
    }
    const Waiter waiter{call.client.id, call.encoding, std::string(call.tag)};
    if (auto started = (call.context.clock.*start)(count, waiter); !started) return started;
    call.after = After::wait;
    return {};
}

Result<> step(Call& call) { return run(call, "STEP", &Clock::step); }
Result<> sprint(Call& call) { return run(call, "SPRINT", &Clock::sprint); }

constexpr std::array kRate{Argument{.name = "hz", .type = ArgumentType::number}};
constexpr std::array kOptionalCount{
    Argument{.name = "ticks", .type = ArgumentType::integer, .optional = true}};
constexpr std::array kTickCount{Argument{.name = "ticks", .type = ArgumentType::integer}};

constexpr std::array kTimeCommands{
    Command{"TICK", "time", -2, Effect::controls, {}, "Looks at the clock and controls it.", nullptr},
    Command{"TICK INFO",
            "time",
            2,
            Effect::reads,
            {},
            "Tick number, rate, time per tick, start jitter and every overrun.",
            &tick_info},
    Command{"TICK PAUSE", "time", 2, Effect::controls, {}, "Stops the clock; commands go on.", &pause},
    Command{"TICK RESUME", "time", 2, Effect::controls, {}, "Lets the clock run again.", &resume},
    Command{"TICK STEP",
            "time",
            -2,
            Effect::controls,
            kOptionalCount,
            "While paused, runs ticks (default 1); answers the tick number after the last.",
            &step,
            {},
            Queueing::refused},
    Command{"TICK SPRINT",
            "time",
            3,
            Effect::controls,
            kTickCount,
            "Runs ticks as fast as they go; answers the tick number after the last.",
            &sprint,
            {},
            Queueing::refused},
    Command{"TICK RATE", "time", 3, Effect::controls, kRate, "Sets the ticks per second, 1 to 1000.", &rate},
};

}  // namespace

std::span<const Command> time_commands() { return kTimeCommands; }

}  // namespace evertick::commands
