#include "config/environment.hpp"

#include <algorithm>
#include <cstddef>

#include "config/settings.hpp"
#include "core/quote.hpp"

namespace evertick::config {
namespace {

constexpr std::string_view kPrefix = "EVERTICK_";

std::vector<std::string> variable_names_of(std::span<const core::Field> fields) {
    std::vector<std::string> names;
    for (const core::Field& field : fields) names.push_back(variable_name(field.name));
    return names;
}

core::Result<Assignment> read_variable(std::string_view entry, std::span<const std::string> names) {
    const std::size_t equals = std::min(entry.find('='), entry.size());
    const std::string name(entry.substr(0, equals));
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) {
        const std::vector<std::string_view> views(names.begin(), names.end());
        return core::failure(core::ErrorCode::err,
                             "unknown environment variable " + core::quote(name) + suggestion(name, views));
    }
    const core::Field& field = kSettings.fields[static_cast<std::size_t>(found - names.begin())];
    return Assignment{&field,
                      std::string(entry.substr(std::min(equals + 1, entry.size()))),
                      name,
                      {Source::environment, "environment " + name}};
}

}  // namespace

Environment entries(const char* const* null_terminated) {
    std::size_t count = 0;
    while (null_terminated[count] != nullptr) ++count;
    return {null_terminated, count};
}

std::string variable_name(std::string_view setting) {
    std::string name(kPrefix);
    for (const char letter : setting) {
        const bool lower = letter >= 'a' && letter <= 'z';
        name += letter == '-' ? '_' : lower ? static_cast<char>(letter - 'a' + 'A') : letter;
    }
    return name;
}

Assignments read_environment(Environment environment) {
    const std::vector<std::string> names = variable_names_of(kSettings.fields);
    std::vector<Assignment> found;
    for (const std::string_view entry : environment) {
        if (!entry.starts_with(kPrefix)) continue;
        auto assignment = read_variable(entry, names);
        if (!assignment) return std::unexpected(std::move(assignment.error()));
        if (std::ranges::find(found, assignment->field, &Assignment::field) != found.end())
            return core::failure(core::ErrorCode::err,
                                 assignment->where + " is set twice in the environment");
        found.push_back(std::move(*assignment));
    }
    return found;
}

}  // namespace evertick::config
