#pragma once
// What a command may reach, as narrow interfaces that the server wires in. Commands know the world and
// the protocol; sockets, files, clocks and settings they know only through these.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/mem_stack.hpp"
#include "core/memory_report.hpp"
#include "core/result.hpp"
#include "core/units.hpp"
#include "server/protocol/client.hpp"
#include "server/world/world.hpp"

namespace evertick::commands {

// How long something took lately, in seconds.
struct Durations {
    double mean = 0, p50 = 0, p99 = 0, max = 0;
};

enum class ClockState : std::uint8_t { running, paused, stepping, sprinting };

struct ClockStatus {
    ClockState state = ClockState::running;
    double rate_hz = 0;
    Durations tick;                  // time spent in one tick
    Durations jitter;                // how late a tick started against the schedule
    std::uint64_t window_ticks = 0;  // how many ticks those two cover
    std::uint64_t overruns = 0;      // ticks that took longer than their period
    std::uint64_t caught_up = 0;     // ticks run late, back to back
    std::uint64_t skipped = 0;       // periods dropped because too far behind
    std::uint64_t suspends = 0;      // the process did not run for a second or more
};

// Who is told when a STEP or SPRINT is done: its reply comes ticks later.
struct Waiter {
    std::uint64_t client_id = 0;
    protocol::Encoding encoding = protocol::Encoding::resp2;
    std::string tag;
};

class Clock {
  public:
    virtual ~Clock() = default;
    virtual ClockStatus status() const = 0;
    virtual void pause() = 0;  // also ends a STEP or SPRINT under way
    virtual void resume() = 0;
    virtual void set_rate(double hz) = 0;  // requires: within kMinRateHz..kMaxRateHz (verified)
    // Runs count ticks as fast as they go, serving clients between them, then answers the waiter.
    // errors: ERR (STEP while running), BUSY (a STEP or SPRINT is under way)
    virtual core::Result<> step(std::uint64_t count, Waiter waiter) = 0;
    virtual core::Result<> sprint(std::uint64_t count, Waiter waiter) = 0;
    virtual void abandon(std::uint64_t client_id) = 0;  // ends what this client waits for: it has gone
};
inline constexpr double kMinRateHz = 1;
inline constexpr double kMaxRateHz = 1000;

class Sessions {
  public:
    virtual ~Sessions() = default;
    virtual std::size_t count() const = 0;
    virtual void for_each(const std::function<void(const protocol::Client&)>& visit) const = 0;
    virtual bool kill(std::uint64_t client_id) = 0;                           // false: no such client
    virtual const protocol::Client* find(std::uint64_t client_id) const = 0;  // null: no such client
    // Sends what no request asked for, after what is under way. False: the client leaves too much unread.
    virtual bool push(std::uint64_t client_id, std::string_view bytes) = 0;
};

struct SettingText {
    std::string_view name;
    std::string value;
};

struct SettingChange {
    std::string_view name, value;
};

// Names of settings whose values differ from those the server runs with.
struct Reloaded {
    std::vector<std::string_view> changed, needs_restart;
};

class SettingsAccess {
  public:
    virtual ~SettingsAccess() = default;
    virtual std::vector<SettingText> all() const = 0;
    virtual std::size_t max_query_rows() const = 0;
    // Changes settings, all or none.
    // errors: BADARG: unknown name (with the nearest), given twice, value, rule; ERR: it needs a restart
    virtual core::Result<> set(std::span<const SettingChange> changes) = 0;
    // Reads all settings again and takes over what needs no restart. errors: what is wrong with them
    virtual core::Result<Reloaded> reload() = 0;
};

struct MemoryStatus {
    std::uint64_t rss_bytes = 0;       // what the kernel has given the process
    std::uint64_t live_bytes = 0;      // in use by allocations
    std::uint64_t reserved_bytes = 0;  // taken from the kernel for them
};

struct Traffic {
    std::uint64_t connections = 0;  // accepted since start
    std::uint64_t commands = 0;
    std::uint64_t errors = 0;  // error replies
};

class Process {
  public:
    virtual ~Process() = default;
    virtual MemoryStatus memory() const = 0;
    virtual core::MemoryReport memory_report() const = 0;
    virtual Traffic traffic() const = 0;
    virtual double uptime_seconds() const = 0;
    virtual std::uint16_t command_port() const = 0;
    virtual void shut_down() = 0;  // ends the server after this command
};

// Who has to log in, and judges those who try.
class Access {
  public:
    // Writes the reply of a login once it is judged, to a client that is still there.
    using Answer =
        std::function<void(protocol::Client&, const core::Result<protocol::Role>&, std::string& out)>;

    virtual ~Access() = default;
    virtual bool asks() const = 0;  // whether there is a password
    // errors: LIMIT
    virtual core::Result<> log_in(const protocol::Client& client, std::string_view user,
                                  std::string_view password, Answer answer) = 0;

    protocol::Role first_role() const { return asks() ? protocol::Role::nobody : protocol::Role::full; }
};

class Monitors;
class Streams;
// How long one system takes in a tick.
struct SystemTime {
    std::string_view name;
    Durations time;
};

class Profile {
  public:
    virtual ~Profile() = default;
    virtual std::vector<SystemTime> systems() const = 0;  // in the order of the tick
};

class SlowLog;
class CommandTimes;
class LongCommands;

struct Context {
    world::World& world;
    core::MemStack& scratch;  // under a mark for each command
    Clock& clock;
    Sessions& sessions;
    SettingsAccess& settings;
    Process& process;
    Access& access;
    Streams& streams;
    Monitors& monitors;
    const Profile& profile;
    SlowLog& slow_log;
    CommandTimes& command_times;
    LongCommands& long_commands;
};

}  // namespace evertick::commands
