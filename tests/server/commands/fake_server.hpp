#pragma once
// A whole server without sockets, threads or time: commands run against it in tests.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/mem_stack.hpp"
#include "server/commands/command_times.hpp"
#include "server/commands/context.hpp"
#include "server/commands/execute.hpp"
#include "server/commands/long_command.hpp"
#include "server/commands/monitor.hpp"
#include "server/commands/slow_log.hpp"
#include "server/commands/streams.hpp"
#include "server/protocol/client.hpp"
#include "server/protocol/request_parser.hpp"
#include "server/world/world.hpp"

namespace evertick::test {

class FakeClock final : public commands::Clock {
  public:
    commands::ClockStatus status() const override { return {.state = state, .rate_hz = rate}; }
    void pause() override { state = commands::ClockState::paused; }
    void resume() override { state = commands::ClockState::running; }
    void set_rate(double hz) override { rate = hz; }
    core::Result<> step(std::uint64_t count, commands::Waiter waiter) override {
        if (state == commands::ClockState::running)
            return core::failure(core::ErrorCode::err, "the clock is running");
        return sprint(count, std::move(waiter));
    }
    core::Result<> sprint(std::uint64_t count, commands::Waiter waiter) override {
        if (waiting.client_id != 0)
            return core::failure(core::ErrorCode::busy, "a STEP or SPRINT is under way with " +
                                                            std::to_string(asked_ticks) +
                                                            " ticks to go; TICK PAUSE ends it");
        asked_ticks = count;
        waiting = std::move(waiter);
        return {};
    }

    void abandon(std::uint64_t client_id) override { abandoned_by = client_id; }

    // A tick has passed. Returns who has waited for it.
    std::optional<commands::Waiter> tick() {
        if (waiting.client_id == 0 || --asked_ticks > 0) return std::nullopt;
        return std::exchange(waiting, {});
    }

    commands::ClockState state = commands::ClockState::running;
    std::uint64_t abandoned_by = 0;
    double rate = 30;
    std::uint64_t asked_ticks = 0;
    commands::Waiter waiting;
};

class FakeSessions final : public commands::Sessions {
  public:
    explicit FakeSessions(const protocol::Client& only) : only_(only) {}
    std::size_t count() const override { return 1; }
    void for_each(const std::function<void(const protocol::Client&)>& visit) const override { visit(only_); }
    bool kill(std::uint64_t) override { return false; }
    const protocol::Client* find(std::uint64_t id) const override {
        return id == only_.id ? &only_ : nullptr;
    }
    bool push(std::uint64_t, std::string_view bytes) override {
        if (pushed.size() + bytes.size() > queue_bytes) return false;
        pushed += bytes;
        return true;
    }

    std::string pushed;
    std::size_t queue_bytes = std::size_t{1} << 20;

  private:
    const protocol::Client& only_;
};

class FakeSettings final : public commands::SettingsAccess {
  public:
    std::vector<commands::SettingText> all() const override {
        return {{"port", "7777"}, {"tick-rate", "30"}};
    }
    std::size_t max_query_rows() const override { return max_rows; }
    core::Result<> set(std::span<const commands::SettingChange> changes) override {
        if (changes.front().value == "bad") return core::failure(core::ErrorCode::badarg, "that is bad");
        for (const auto& [name, value] : changes)
            set_by_client += std::string(name) + "=" + std::string(value) + ";";
        return {};
    }
    core::Result<commands::Reloaded> reload() override {
        return commands::Reloaded{.changed = {"tick-rate"}, .needs_restart = {"port", "bind"}};
    }

    std::size_t max_rows = 10'000;
    std::string set_by_client;  // "tick-rate=60;"
};

class FakeProcess final : public commands::Process {
  public:
    commands::MemoryStatus memory() const override { return {3'000'000, 1'000'000, 2'000'000}; }
    core::MemoryReport memory_report() const override { return report; }
    commands::Traffic traffic() const override { return {1, 2, 3}; }
    double uptime_seconds() const override { return uptime += seconds_per_look; }
    std::uint16_t command_port() const override { return 7777; }
    void shut_down() override { ended = true; }

    core::MemoryReport report{};
    bool ended = false;
    mutable double uptime = 60;
    double seconds_per_look = 0;  // time that passes whenever somebody asks
};

class FakeProfile final : public commands::Profile {
  public:
    std::vector<commands::SystemTime> systems() const override {
        return {{"movement", {.mean = 5e-6, .p50 = 4e-6, .p99 = 9e-6, .max = 1e-5}}, {"ai", {}}};
    }
};

// Judges at once. Without a password it asks nobody.
class FakeAccess final : public commands::Access {
  public:
    bool asks() const override { return !password.empty(); }
    core::Result<> log_in(const protocol::Client&, std::string_view user, std::string_view given,
                          Answer answer) override {
        const bool right = given == password && (user == "default" || user == "readonly");
        verdict = core::failure(core::ErrorCode::wrongpass, "wrong user name or password");
        if (right) verdict = user == "default" ? protocol::Role::full : protocol::Role::readonly;
        waiting = std::move(answer);
        return {};
    }

    std::string password;
    core::Result<protocol::Role> verdict;
    Answer waiting;
};

struct FakeServer {
    // Runs one inline line; returns the raw reply.
    std::string run(std::string_view line) { return receive(std::string(line) + '\n'); }

    // Runs what the bytes ask for; returns the raw replies.
    std::string receive(std::string_view bytes) {
        using Status = protocol::RequestParser::Status;
        std::ranges::copy(bytes, parser->prepare(bytes.size()).begin());
        parser->commit(bytes.size());
        std::string out;
        Status status = parser->next();
        for (; status == Status::request; status = parser->next()) execute(out);
        if (status == Status::malformed) commands::write_error(world.tick, client, parser->error(), out);
        return out;
    }

    void execute(std::string& out) {
        outcome = commands::execute(context, client, parser->request(), out);
        if (monitors.any()) monitors.show(client, parser->request().words, outcome.command);
        if (const auto answer = std::exchange(access.waiting, nullptr)) answer(client, access.verdict, out);
        if (works_on) work(out);
    }

    // Does the pieces of long commands to their end.
    void work(std::string& out) {
        for (; !long_commands.empty(); ++pieces)
            if (const auto done = long_commands.work(world.tick)) out += done->reply;
    }

    // What was pushed since the last time, after the events are published.
    std::string pushed() {
        streams.publish(scratch);
        return std::exchange(sessions.pushed, {});
    }

    std::chrono::system_clock::time_point now{std::chrono::microseconds(1'500'042)};
    world::World world{1};
    core::MemStack scratch;
    protocol::Client client{.id = 1, .address = "127.0.0.1:50000", .local_address = "127.0.0.1:7777"};
    FakeClock clock;
    FakeSessions sessions{client};
    FakeSettings settings;
    FakeProcess process;
    FakeAccess access;
    commands::Streams streams{world, sessions};
    commands::Monitors monitors{sessions, [this] { return now; }};
    FakeProfile profile;
    commands::SlowLog slow_log;
    commands::CommandTimes command_times;
    commands::LongCommands long_commands;
    bool works_on = true;    // run() does not leave a long command waiting
    std::size_t pieces = 0;  // done after the first of each
    commands::Context context{world,   scratch,  clock,   sessions, settings,      process,      access,
                              streams, monitors, profile, slow_log, command_times, long_commands};
    std::optional<protocol::RequestParser> parser{protocol::RequestLimits{}};  // of the connection
    commands::Outcome outcome;
};

}  // namespace evertick::test
