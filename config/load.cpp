#include "config/load.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "config/access.hpp"
#include "config/plain_text.hpp"
#include "config/rules.hpp"
#include "config/toml_file.hpp"
#include "core/quote.hpp"

namespace evertick::config {
namespace {

core::Result<> apply(Assignment assignment, Loaded& loaded) {
    const core::Field& field = *assignment.field;
    if (assignment.text.empty() && field.kind != core::Kind::text)
        return core::failure(core::ErrorCode::badarg, assignment.where + ": the value is missing; expected " +
                                                          core::accepted_form(field));
    const auto value = core::parse_value(field, assignment.where, assignment.text);
    if (!value) return std::unexpected(value.error());
    if (field.kind == core::Kind::text && !is_plain_text(assignment.text))
        return core::failure(core::ErrorCode::badarg,
                             assignment.where + ": " + core::quote(assignment.text) +
                                 " has control characters or is no UTF-8; expected plain text");
    core::write(field, &loaded.settings, *value);
    const auto index = static_cast<std::size_t>(&field - kSettings.fields.data());
    loaded.origins[index] = std::move(assignment.origin);
    return {};
}

core::Result<> apply_all(Assignments assignments, Loaded& loaded) {
    if (!assignments) return std::unexpected(std::move(assignments.error()));
    for (Assignment& assignment : *assignments)
        if (auto done = apply(std::move(assignment), loaded); !done) return done;
    return {};
}

core::Result<> check(const Loaded& loaded) {
    if (auto kept = check_rules(loaded.settings, loaded.origins); !kept) return kept;
    const bool listens = loaded.mode == Mode::run || loaded.mode == Mode::check_config;
    return listens ? check_access(loaded.settings) : core::Result<>{};
}

}  // namespace

core::Result<Loaded> load(std::span<const char* const> arguments, Environment environment) {
    auto command_line = read_command_line(arguments);
    if (!command_line) return std::unexpected(std::move(command_line.error()));
    Loaded loaded;
    loaded.mode = command_line->mode;
    if (loaded.mode == Mode::help || loaded.mode == Mode::version) return loaded;
    core::Result<> done;
    if (!command_line->config_file.empty())
        done = apply_all(read_toml_file(command_line->config_file), loaded);
    if (done) done = apply_all(read_environment(environment), loaded);
    if (done) done = apply_all(std::move(command_line->assignments), loaded);
    if (done) done = check(loaded);
    if (!done) return std::unexpected(std::move(done.error()));
    return loaded;
}

std::string sources(const Loaded& loaded) {
    const auto from = [&](Source source) {
        return std::ranges::find(loaded.origins, source, &Origin::source);
    };
    std::string out;
    const auto add = [&](std::string_view name) { out.append(out.empty() ? "" : ", ").append(name); };
    if (const auto file = from(Source::file); file != loaded.origins.end())
        add(file->place.substr(0, file->place.rfind(':')));
    if (from(Source::environment) != loaded.origins.end()) add("environment");
    if (from(Source::command_line) != loaded.origins.end()) add("command line");
    return out.empty() ? "defaults" : out;
}

}  // namespace evertick::config
