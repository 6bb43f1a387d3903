#include "config/print.hpp"

#include <limits>

#include "config/environment.hpp"
#include "config/toml_file.hpp"
#include "core/quote.hpp"

namespace evertick::config {
namespace {

constexpr std::size_t kHelpColumn = 34;
constexpr std::size_t kOriginColumn = 34;
constexpr std::size_t kMaxPlaceBytes = 4096;

std::string text_of(const core::Field& field, const Settings& settings) {
    std::string out;
    core::append_text(out, core::read(field, &settings));
    return out;
}

// No TOML integer is greater than 2^63 - 1: such a number is written as a string.
bool needs_quotes(const core::FieldValue& value) {
    if (const auto* number = std::get_if<std::uint64_t>(&value))
        return *number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return std::holds_alternative<std::string_view>(value) || std::holds_alternative<core::WordValue>(value);
}

// name = value
std::string assignment(const core::Field& field, const Settings& settings) {
    const std::string text = text_of(field, settings);
    const bool quotes = needs_quotes(core::read(field, &settings));
    return std::string(field.name) + " = " + (quotes ? toml_string(text) : text);
}

std::string padded(std::string text, std::size_t width) {
    text.append(text.size() < width ? width - text.size() : 1, ' ');
    return text;
}

std::string option_help(std::string_view option, std::string_view help) {
    return padded("  " + std::string(option), kHelpColumn).append(help).append("\n");
}

std::string setting_help(const core::Field& field, const Settings& defaults) {
    const std::string flag =
        "--" + std::string(field.name) + (field.kind == core::Kind::boolean ? "" : " VALUE");
    const std::string value = text_of(field, defaults);
    return option_help(flag, field.info.help) + std::string(kHelpColumn, ' ') + core::accepted_form(field) +
           "; default " + (value.empty() ? "empty" : value) + "\n";
}

}  // namespace

std::string help_text() {
    const Settings defaults;
    std::string out = "Usage: evertick [OPTION]...\nEvertick is a " + std::string(kSettings.help) + ".\n\n";
    for (const ModeOption& option : mode_options()) out += option_help(option.flag, option.help);
    out += option_help("--config FILE", "reads settings from a TOML file; no file is read otherwise");
    out +=
        "\nSettings. --tick-rate 30, the variable EVERTICK_TICK_RATE=30 and the line `tick-rate = 30` of the "
        "file\nare the same; the command line wins over the environment, the environment over the file.\n\n";
    for (const core::Field& field : kSettings.fields) out += setting_help(field, defaults);
    return out;
}

std::string print_config(const Loaded& loaded) {
    std::string out;
    for (std::size_t i = 0; i < kSettings.fields.size(); ++i) {
        out += padded(assignment(kSettings.fields[i], loaded.settings), kOriginColumn) + "# ";
        core::append_escaped(out, loaded.origins[i].place, kMaxPlaceBytes);
        out += '\n';
    }
    return out;
}

std::string example_file() {
    const Settings defaults;
    std::string out =
        "# Every setting of evertick at its default. Use it with: evertick --config evertick.toml\n"
        "# A variable such as EVERTICK_TICK_RATE and a flag such as --tick-rate win over a line here.\n";
    for (const core::Field& field : kSettings.fields)
        out += "\n# " + std::string(field.info.help) + "\n# " + core::accepted_form(field) + "\n" +
               assignment(field, defaults) + "\n";
    return out;
}

}  // namespace evertick::config
