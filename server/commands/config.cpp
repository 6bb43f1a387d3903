// CONFIG GET|SET|RELOAD, LOG LEVEL: the settings while the server runs.

#include <algorithm>
#include <array>
#include <vector>

#include "core/quote.hpp"
#include "server/commands/command.hpp"
#include "server/commands/wildcard.hpp"

namespace evertick::commands {
namespace {

using core::ErrorCode;
using core::failure;
using core::Result;

// What redis-benchmark asks before it starts; there is no persistence to report.
constexpr std::array<std::array<std::string_view, 2>, 2> kRedisSettings{{{"save", ""}, {"appendonly", "no"}}};

constexpr std::size_t kMaxPatterns = 128;  // or pairs; each is compared with every name

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

Result<> config_set(Call& call) {
    const auto words = call.words;
    if (words.size() % 2 != 0)
        return failure(ErrorCode::err, "CONFIG SET: " + core::quote(words.back()) +
                                           " has no value; expected CONFIG SET name value [name value ...]");
    if (words.size() / 2 > kMaxPatterns)
        return failure(ErrorCode::limit, "at most " + std::to_string(kMaxPatterns) + " settings");
    std::vector<SettingChange> changes;
    for (std::size_t i = 0; i < words.size(); i += 2) changes.push_back({words[i], words[i + 1]});
    if (auto set = call.context.settings.set(changes); !set) return set;
    call.reply.ok();
    return {};
}

void write_names(protocol::ReplyWriter& reply, std::string_view key,
                 std::span<const std::string_view> names) {
    reply.key(key);
    reply.array(names.size());
    for (const std::string_view name : names) reply.text(name);
}

Result<> config_reload(Call& call) {
    const auto reloaded = call.context.settings.reload();
    if (!reloaded) return std::unexpected(reloaded.error());
    call.reply.map(2);
    write_names(call.reply, "changed", reloaded->changed);
    write_names(call.reply, "needs_restart", reloaded->needs_restart);
    return {};
}

Result<> log_level(Call& call) {
    const std::array change{SettingChange{"log-level", call.words[0]}};
    if (auto set = call.context.settings.set(change); !set) return set;
    call.reply.ok();
    return {};
}

// ---- the table ----

constexpr std::array kPattern{Argument{.name = "pattern", .multiple = true}};
constexpr std::array kSetting{Argument{.name = "name"}, Argument{.name = "value"}};
constexpr std::array kPairs{
    Argument{.name = "setting", .type = ArgumentType::block, .multiple = true, .parts = kSetting}};
constexpr std::array kLevels{
    Argument{.name = "trace", .type = ArgumentType::pure_token, .token = "trace"},
    Argument{.name = "debug", .type = ArgumentType::pure_token, .token = "debug"},
    Argument{.name = "info", .type = ArgumentType::pure_token, .token = "info"},
    Argument{.name = "warning", .type = ArgumentType::pure_token, .token = "warning"},
    Argument{.name = "error", .type = ArgumentType::pure_token, .token = "error"}};
constexpr std::array kLevel{Argument{.name = "level", .type = ArgumentType::one_of, .parts = kLevels}};

constexpr std::array kConfigCommands{
    Command{"CONFIG", "server", -2, Effect::reads, {}, "Looks at the settings and changes them.", nullptr},
    Command{"CONFIG GET", "server", -3, Effect::reads, kPattern, "Settings whose names match the patterns.",
            &config_get},
    Command{"CONFIG SET", "server", -4, Effect::controls, kPairs,
            "Changes settings that need no restart, all or none, until the server ends.", &config_set},
    Command{"CONFIG RELOAD",
            "server",
            2,
            Effect::controls,
            {},
            "Reads the settings again, as SIGHUP does; answers which changed and which need a restart.",
            &config_reload},
    Command{"LOG", "server", -2, Effect::controls, {}, "Controls the log.", nullptr},
    Command{"LOG LEVEL", "server", 3, Effect::controls, kLevel, "Sets how much is logged.", &log_level},
};

}  // namespace

std::span<const Command> config_commands() { return kConfigCommands; }

}  // namespace evertick::commands
