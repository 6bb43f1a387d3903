#pragma once
// Every setting, declared once: a member with its default, and a row with its name, help, unit and limits.
// The file, the environment, the command line, --help, --print-config, the example file and all error texts
// follow from the rows. To add a setting, write its member and its row.
//
// `max-clients` is --max-clients, EVERTICK_MAX_CLIENTS and `max-clients = 10000` at the top level of the
// file.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/schema.hpp"

namespace evertick::config {

enum class Scenario : std::uint8_t { none, demo, reference };
constexpr std::array<std::string_view, 3> words(Scenario) { return {"none", "demo", "reference"}; }

enum class Overrun : std::uint8_t { skip, slow };
constexpr std::array<std::string_view, 2> words(Overrun) { return {"skip", "slow"}; }

enum class LogLevel : std::uint8_t { trace, debug, info, warning, error };
constexpr std::array<std::string_view, 5> words(LogLevel) {
    return {"trace", "debug", "info", "warning", "error"};
}

enum class LogFormat : std::uint8_t { text, json };
constexpr std::array<std::string_view, 2> words(LogFormat) { return {"text", "json"}; }

enum class UnixAccess : std::uint8_t { owner, group, everyone };
constexpr std::array<std::string_view, 3> words(UnixAccess) { return {"owner", "group", "everyone"}; }

struct Settings {
    // Where it listens.
    std::string bind = "127.0.0.1";
    std::uint32_t port = 7777;
    bool insecure = false;
    std::string unix_path;
    UnixAccess unix_access = UnixAccess::owner;
    std::string password_file;
    std::string readonly_password_file;

    // The simulation.
    Scenario scenario = Scenario::none;
    std::uint64_t seed = 1;
    double tick_rate_hz = 30;
    Overrun overrun = Overrun::skip;
    std::uint32_t max_catch_up_ticks = 5;
    std::uint64_t max_entities = 10'000'000;
    std::uint32_t regen_ticks = 1;

    // Memory.
    bool huge_pages = false;

    // What a client may ask for.
    std::uint32_t max_clients = 10'000;
    std::uint64_t max_arguments = 262'144;
    std::uint64_t max_arguments_before_login = 10;
    std::uint64_t max_bulk_bytes = 1 << 20;
    std::uint64_t max_bulk_bytes_before_login = 16 << 10;
    std::uint64_t max_inline_bytes = 64 << 10;
    std::uint64_t max_pending_bytes = 4 << 20;
    std::uint64_t max_query_rows = 10'000;
    std::uint64_t output_soft_limit_bytes = 1 << 20;
    std::uint64_t output_hard_limit_bytes = 32 << 20;
    std::uint64_t push_queue_bytes = 256 << 10;
    std::uint64_t clients_memory_bytes = 256 << 20;
    std::uint32_t idle_timeout_seconds = 0;
    std::uint32_t tcp_keepalive_seconds = 60;

    // How the tick and the clients share the thread.
    std::uint32_t accepts_per_wake_up = 10;
    std::uint32_t commands_per_slice = 64;
    std::uint32_t slice_microseconds = 200;
    double shutdown_grace_seconds = 5;

    // What SLOWLOG keeps.
    std::uint32_t slowlog_threshold_microseconds = 10'000;
    std::uint32_t slowlog_length = 128;

    // The log.
    LogLevel log_level = LogLevel::info;
    LogFormat log_format = LogFormat::text;
    std::string log_file;
    std::uint64_t log_max_bytes = 16 << 20;
    std::uint32_t log_files = 5;

    static consteval auto schema();
};

// Limits, inclusive. What is `live` is taken over by a running server when it reloads.
consteval core::FieldInfo live(double min, double max, std::string_view unit = "") {
    return {.unit = unit, .min = min, .max = max, .reloadable = true};
}
consteval core::FieldInfo fixed(double min, double max, std::string_view unit = "") {
    return {.unit = unit, .min = min, .max = max};
}
inline constexpr core::FieldInfo kLiveText{.reloadable = true};
inline constexpr core::FieldInfo kBytes = live(1024, 4'294'967'296, "bytes");

template <auto Member>
consteval core::Field row(std::string_view name, std::string_view help, core::FieldInfo info = {}) {
    info.help = help;
    return core::field<Member>(name, info);
}

consteval auto Settings::schema() {
    using S = Settings;
    return core::describe(
        "evertick", "headless game-simulation server",
        row<&S::bind>("bind", "address to listen on; beyond this machine only with a password or insecure"),
        row<&S::port>("port", "TCP port of the commands; 0 takes a free one", fixed(0, 65'535)),
        row<&S::insecure>("insecure", "accept that whoever reaches the address commands the server"),
        row<&S::unix_path>("unix", "path of a unix socket to listen on as well"),
        row<&S::unix_access>("unix-access", "who may open the unix socket"),
        row<&S::password_file>("password-file", "password of the user default, or its hash", kLiveText),
        row<&S::readonly_password_file>("readonly-password-file", "the same of the user readonly", kLiveText),

        row<&S::scenario>("scenario", "what the world starts with"),
        row<&S::seed>("seed", "start of the world's random numbers"),
        row<&S::tick_rate_hz>("tick-rate", "ticks a second", live(1, 1000, "Hz")),
        row<&S::overrun>("overrun", "ticks too late to catch up: skip leaves them out, slow delays the rest"),
        row<&S::max_catch_up_ticks>("max-catch-up-ticks", "late ticks run back to back", fixed(0, 1000)),
        row<&S::max_entities>("max-entities", "SPAWN is refused beyond it", fixed(1, 4e9)),
        row<&S::regen_ticks>("regen-ticks", "ticks from one point of health to the next", fixed(1, 1e6)),

        row<&S::huge_pages>("huge-pages",
                            "ask for memory in pages of 2 MiB: faster, and more may be occupied"),

        row<&S::max_clients>("max-clients", "connections; eight are kept for this machine", live(1, 1e6)),
        row<&S::max_arguments>("max-arguments", "words of one command", live(16, 16'777'216)),
        row<&S::max_arguments_before_login>("max-arguments-before-login", "the same without a login",
                                            live(8, 16'777'216)),
        row<&S::max_bulk_bytes>("max-bulk-bytes", "longest word of a command", kBytes),
        row<&S::max_bulk_bytes_before_login>("max-bulk-bytes-before-login", "the same without a login",
                                             kBytes),
        row<&S::max_inline_bytes>("max-inline-bytes", "longest command line", kBytes),
        row<&S::max_pending_bytes>("max-pending-bytes", "input of a client that waits to be run", kBytes),
        row<&S::max_query_rows>("max-query-rows", "rows of one reply", live(1, 1e7)),
        row<&S::output_soft_limit_bytes>("output-soft-limit", "unread replies that pause a client", kBytes),
        row<&S::output_hard_limit_bytes>("output-hard-limit", "unread replies that disconnect it", kBytes),
        row<&S::push_queue_bytes>("push-queue-bytes", "unread events that make a client miss more", kBytes),
        row<&S::clients_memory_bytes>("clients-memory-limit", "input and replies of all clients together",
                                      live(1 << 20, 1e12, "bytes")),
        row<&S::idle_timeout_seconds>("idle-timeout", "disconnects a silent client; 0 never",
                                      live(0, 31'536'000, "s")),
        row<&S::tcp_keepalive_seconds>("tcp-keepalive", "probes a silent connection; 0 never",
                                       live(0, 32'767, "s")),

        row<&S::accepts_per_wake_up>("accepts-per-wake-up", "new connections taken in one turn",
                                     live(1, 1000)),
        row<&S::commands_per_slice>("commands-per-slice", "commands of a client in one turn", live(1, 1e6)),
        row<&S::slice_microseconds>("slice-microseconds", "time of a client's turn", live(1, 1e6, "us")),
        row<&S::shutdown_grace_seconds>("shutdown-grace-seconds",
                                        "how long the end waits for clients to take their replies",
                                        live(0, 3600, "s")),

        row<&S::slowlog_threshold_microseconds>("slowlog-log-slower-than",
                                                "commands that take this long are kept for SLOWLOG",
                                                live(0, 1e9, "us")),
        row<&S::slowlog_length>("slowlog-max-len", "how many are kept; 0 keeps none", live(0, 10'000)),

        row<&S::log_level>("log-level", "the least that is logged", {.reloadable = true}),
        row<&S::log_format>("log-format", "lines for people, or JSON lines"),
        row<&S::log_file>("log-file", "file to log to; empty is standard error"),
        row<&S::log_max_bytes>("log-max-bytes", "size at which the log file is renamed",
                               fixed(4096, 1e12, "bytes")),
        row<&S::log_files>("log-files", "log files kept, the current one included", fixed(1, 1000)));
}

inline constexpr core::RecordType kSettings = core::record_type<Settings>();

}  // namespace evertick::config
