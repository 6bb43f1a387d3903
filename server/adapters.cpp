#include "server/adapters.hpp"

#include <algorithm>
#include <utility>

#include "config/reload.hpp"
#include "core/schema.hpp"
#include "server/process_memory.hpp"

namespace evertick::server {

std::vector<commands::SettingText> LiveSettings::all() const {
    std::vector<commands::SettingText> texts;
    for (const core::Field& field : config::kSettings.fields) {
        texts.push_back({field.name, {}});
        core::append_text(texts.back().value, core::read(field, &settings_));
    }
    return texts;
}

core::Result<> LiveSettings::set(std::span<const commands::SettingChange> changes) {
    std::vector<config::Change> wanted;
    std::vector<std::string_view> names;
    for (const auto& [name, text] : changes) {
        wanted.push_back({name, text});
        names.push_back(name);
    }
    const auto settings = config::changed(settings_, wanted);
    if (!settings) return std::unexpected(settings.error());
    return take_over_(*settings, names);
}

commands::MemoryStatus HostProcess::memory() const { return process_memory(); }

double HostProcess::uptime_seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

Pacing pacing(const config::Settings& settings) {
    return {.rate_hz = settings.tick_rate_hz,
            .overrun = settings.overrun == config::Overrun::skip ? Overrun::skip : Overrun::slow,
            .max_catch_up_ticks = settings.max_catch_up_ticks};
}

// Whoever has not logged in has nothing to say that is longer than a few words.
static protocol::RequestLimits limits_before_login(const config::Settings& settings) {
    const std::size_t word = settings.max_bulk_bytes_before_login;
    return {.max_arguments = settings.max_arguments_before_login,
            .max_bulk_bytes = word,
            .max_inline_bytes = std::min(word, settings.max_inline_bytes),
            .max_pending_bytes = 4 * word,
            .before_login = true};
}

net::Options net_options(const config::Settings& settings) {
    return {.max_clients = settings.max_clients,
            .accepts_per_wakeup = settings.accepts_per_wake_up,
            .request = {.max_arguments = settings.max_arguments,
                        .max_bulk_bytes = settings.max_bulk_bytes,
                        .max_inline_bytes = settings.max_inline_bytes,
                        .max_pending_bytes = settings.max_pending_bytes},
            .request_before_login = limits_before_login(settings),
            .output_soft_bytes = settings.output_soft_limit_bytes,
            .output_hard_bytes = settings.output_hard_limit_bytes,
            .push_queue_bytes = settings.push_queue_bytes,
            .clients_memory_bytes = settings.clients_memory_bytes,
            .commands_per_slice = settings.commands_per_slice,
            .slice = std::chrono::microseconds(settings.slice_microseconds),
            .idle_timeout = std::chrono::seconds(settings.idle_timeout_seconds),
            .keepalive = std::chrono::seconds(settings.tcp_keepalive_seconds)};
}

mode_t permissions(config::UnixAccess access) {
    switch (access) {
        case config::UnixAccess::owner: return 0600;
        case config::UnixAccess::group: return 0660;
        case config::UnixAccess::everyone: return 0666;
    }
    std::unreachable();
}

commands::SlowLog::Limits slow_log_limits(const config::Settings& settings) {
    return {.threshold = std::chrono::microseconds(settings.slowlog_threshold_microseconds),
            .length = settings.slowlog_length};
}

LogOptions log_options(const config::Settings& settings) {
    return {.level = log_level(settings.log_level),
            .format = settings.log_format == config::LogFormat::json ? LogFormat::json : LogFormat::text,
            .file = settings.log_file,
            .max_bytes = settings.log_max_bytes,
            .files = settings.log_files};
}

// Both enums list the same words in the same order.
static_assert(words(Level{}) == words(config::LogLevel{}));
Level log_level(config::LogLevel level) { return static_cast<Level>(level); }

}  // namespace evertick::server
