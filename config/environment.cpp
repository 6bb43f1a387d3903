#include "config/environment.hpp"

#include <algorithm>
#include <cstddef>

#include "config/settings.hpp"
#include "core/quote.hpp"

namespace evertick::config {
namespace {

constexpr std::string_view kPrefix = "EVERTICK_";

// "max-clients" -> "MAX_CLIENTS"
std::string suffix_of(std::string_view setting) {
    std::string suffix;
    for (const char letter : setting) {
        const bool lower = letter >= 'a' && letter <= 'z';
        suffix += letter == '-' ? '_' : lower ? static_cast<char>(letter - 'a' + 'A') : letter;
    }
    return suffix;
}

// suffixes: as kSettings.fields      requires: entry begins with kPrefix
core::Result<Assignment> read_variable(std::string_view entry, std::span<const std::string> suffixes) {
    const std::size_t equals = std::min(entry.find('='), entry.size());
    const std::string name(entry.substr(0, equals));
    const std::string suffix = name.substr(kPrefix.size());
    const auto found = std::ranges::find(suffixes, suffix);
    if (found == suffixes.end())
        return core::failure(core::ErrorCode::err, "unknown environment variable " + core::quote(name) +
                                                       suggestion(suffix, suffixes, kPrefix));
    const core::Field& field = kSettings.fields[static_cast<std::size_t>(found - suffixes.begin())];
    const std::string_view value = entry.substr(std::min(equals + 1, entry.size()));
    return Assignment{&field, std::string(value), name, {Source::environment, "environment " + name}};
}

}  // namespace

Environment entries(const char* const* null_terminated) {
    std::size_t count = 0;
    while (null_terminated[count] != nullptr) ++count;
    return {null_terminated, count};
}

std::string variable_name(std::string_view setting) { return std::string(kPrefix) + suffix_of(setting); }

Assignments read_environment(Environment environment) {
    std::vector<std::string> suffixes;
    for (const core::Field& field : kSettings.fields) suffixes.push_back(suffix_of(field.name));
    std::vector<Assignment> found;
    for (const std::string_view entry : environment) {
        if (!entry.starts_with(kPrefix)) continue;
        auto assignment = read_variable(entry, suffixes);
        if (!assignment) return std::unexpected(std::move(assignment.error()));
        if (std::ranges::find(found, assignment->field, &Assignment::field) != found.end())
            return core::failure(core::ErrorCode::err,
                                 assignment->where + " is set twice in the environment");
        found.push_back(std::move(*assignment));
    }
    return found;
}

}  // namespace evertick::config
