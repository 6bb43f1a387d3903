#include "config/toml_file.hpp"

// toml++ 3.3 asserts where its next lines report the fault properly: "[ = 1" would abort, and under NDEBUG be
// an assumption that does not hold. Without the assertions it answers an error.
#undef NDEBUG
#define TOML_ASSERT(expression) static_assert(true)
#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "config/plain_text.hpp"
#include "config/settings.hpp"
#include "config/toml_guard.hpp"
#include "core/number.hpp"
#include "core/quote.hpp"

namespace evertick::config {
namespace {

constexpr std::size_t kMaxShownPathBytes = 512;

using core::ErrorCode;
using core::failure;
using core::Kind;

constexpr std::size_t kMaxReasonBytes = 256;

std::string type_name(const toml::node& value) {
    switch (value.type()) {
        case toml::node_type::none: return "nothing";
        case toml::node_type::table: return "a section";
        case toml::node_type::array: return "a list";
        case toml::node_type::string: return "a string";
        case toml::node_type::integer: return "an integer";
        case toml::node_type::floating_point: return "a number with a fraction";
        case toml::node_type::boolean: return "a boolean";
        case toml::node_type::date: return "a date";
        case toml::node_type::time: return "a time";
        case toml::node_type::date_time: return "a date and time";
    }
    std::unreachable();
}

template <class Number>
std::string number_text(Number number) {
    std::string out;
    core::append_number(out, number);
    return out;
}

std::string number_text(double number) {
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
    std::string out;
    core::append_number(out, number);
    return out;
}

// An unsigned number that is a string because no TOML integer holds it.
bool is_beyond_toml_integers(const std::string& text) {
    const auto number = core::parse_number<std::uint64_t>(text);
    return number && *number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
}

// The value as core::parse_value reads it, or nothing when its type is not that of the setting.
std::optional<std::string> text_of(const toml::node& value, Kind kind) {
    const bool takes_string = kind == Kind::word || kind == Kind::text;
    const bool takes_float = kind == Kind::f32 || kind == Kind::f64;
    if (const auto* string = value.as_string())
        return takes_string || (kind == Kind::u64 && is_beyond_toml_integers(string->get()))
                   ? std::optional(string->get())
                   : std::nullopt;
    if (const auto* boolean = value.as_boolean())
        return kind == Kind::boolean ? std::optional<std::string>(boolean->get() ? "true" : "false")
                                     : std::nullopt;
    if (takes_string || kind == Kind::boolean) return std::nullopt;
    if (const auto* integer = value.as_integer()) return number_text(integer->get());
    if (const auto* number = value.as_floating_point(); number != nullptr && takes_float)
        return number_text(number->get());
    return std::nullopt;
}

std::unexpected<core::Error> unknown_key(const std::string& place, std::string_view key) {
    std::vector<std::string> names;
    for (const core::Field& field : kSettings.fields) names.emplace_back(field.name);
    return failure(ErrorCode::err,
                   place + ": unknown setting " + core::quote(key) + suggestion(key, names, ""));
}

core::Result<Assignment> read_entry(const std::string& place, std::string_view key, const toml::node& value) {
    const core::Field* const field = kSettings.find(key);
    if (field == nullptr && value.is_table())
        return failure(ErrorCode::err,
                       place + ": there are no sections, but " + core::quote(key) +
                           " is one; write settings at the top level, such as tick-rate = 30");
    if (field == nullptr) return unknown_key(place, key);
    const std::string where = place + ": " + std::string(key);
    auto text = text_of(value, field->kind);
    if (!text)
        return failure(ErrorCode::badarg,
                       where + " is " + type_name(value) + "; expected " + core::accepted_form(*field));
    return Assignment{field, std::move(*text), where, {Source::file, place}};
}

std::string place_of(const std::string& path, std::size_t line) { return path + ":" + std::to_string(line); }

Assignments read_table(const toml::table& table, const std::string& path) {
    using Entry = std::pair<const toml::key*, const toml::node*>;
    std::vector<Entry> entries;  // in the order of the file, which the table does not keep
    for (const auto& [key, value] : table) entries.emplace_back(&key, &value);
    std::ranges::sort(entries, {}, [](const Entry& entry) { return entry.first->source().begin.line; });
    std::vector<Assignment> found;
    for (const auto& [key, value] : entries) {
        auto assignment = read_entry(place_of(path, key->source().begin.line), key->str(), *value);
        if (!assignment) return std::unexpected(std::move(assignment.error()));
        found.push_back(std::move(*assignment));
    }
    return found;
}

std::string_view line_at(std::string_view text, std::size_t number) {
    for (; number > 1 && !text.empty(); --number)
        text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
    return text.substr(0, text.find('\n'));
}

// The line is shown because toml++ says neither which nor which key it is about.
std::unexpected<core::Error> not_toml(std::string_view text, const std::string& path, std::size_t line,
                                      std::string_view reason) {
    std::string message =
        place_of(path, line) + ": " + core::quote(line_at(text, line)) + " is not valid TOML: ";
    if (is_plain_text(reason))
        message += reason;
    else
        core::append_escaped(message, reason, kMaxReasonBytes);
    return failure(ErrorCode::err, message + "; expected name = value, text in double quotes");
}

std::string_view without_context(std::string_view reason) {
    if (reason.starts_with("Error while parsing")) reason.remove_prefix(reason.find(':') + 2);
    return reason;
}

}  // namespace

Assignments parse_toml(std::string_view text, const std::string& path) {
    if (const auto stray = find_stray_byte(text)) {
        const auto line = std::ranges::count(text.substr(0, *stray), '\n') + 1;
        return not_toml(text, path, static_cast<std::size_t>(line), "a letter beyond ASCII outside quotes");
    }
    try {
        return read_table(toml::parse(text, path), path);
    } catch (const toml::parse_error& error) {
        return not_toml(text, path, error.source().begin.line, without_context(error.description()));
    }
}

Assignments read_toml_file(const std::string& file_path) {
    std::ifstream file(file_path, std::ios::binary);
    std::string path;  // as it can be shown
    core::append_escaped(path, file_path, kMaxShownPathBytes);
    std::string text(kMaxFileBytes + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file.is_open() || file.bad())
        return failure(ErrorCode::err, path + ": cannot be read: " + std::generic_category().message(errno));
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.size() > kMaxFileBytes)
        return failure(ErrorCode::err, path + ": is longer than " + std::to_string(kMaxFileBytes) + " bytes");
    return parse_toml(text, path);
}

std::string toml_string(std::string_view text) {
    std::string out = "\"";
    for (const char letter : text) {
        if (letter == '"' || letter == '\\') out += '\\';
        out += letter;
    }
    return out += '"';
}

}  // namespace evertick::config
