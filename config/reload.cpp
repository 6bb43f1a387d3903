#include "config/reload.hpp"

#include <algorithm>
#include <string>

#include "config/rules.hpp"
#include "core/nearest_name.hpp"
#include "core/quote.hpp"

namespace evertick::config {
namespace {

using core::ErrorCode;
using core::failure;

core::Result<const core::Field*> find_live_setting(std::string_view name) {
    if (const core::Field* const field = kSettings.find(name)) {
        if (field->info.reloadable) return field;
        return failure(ErrorCode::err, std::string(name) +
                                           " needs a restart to change: give it in the file, the "
                                           "environment or the command line");
    }
    std::vector<std::string_view> names;
    for (const core::Field& field : kSettings.fields) names.push_back(field.name);
    std::string hint = core::did_you_mean(name, names);
    if (hint.empty()) hint = "; CONFIG GET * lists what there is";
    return failure(ErrorCode::badarg, "unknown setting " + core::quote(name) + hint);
}

}  // namespace

Changes changes(const Settings& before, const Settings& after) {
    Changes found;
    for (const core::Field& field : kSettings.fields)
        if (core::compare(core::read(field, &before), core::Comparison::not_equal, core::read(field, &after)))
            (field.info.reloadable ? found.reloadable : found.needs_restart).push_back(field.name);
    return found;
}

Settings reloaded(const Settings& before, const Settings& after) {
    Settings result = before;
    for (const core::Field& field : kSettings.fields)
        if (field.info.reloadable) core::write(field, &result, core::read(field, &after));
    return result;
}

core::Result<Settings> changed(const Settings& before, std::span<const Change> changes) {
    Settings result = before;
    std::vector<Origin> origins(kSettings.fields.size(), Origin{.place = "as it runs"});
    for (const Change& change : changes) {
        const auto field = find_live_setting(change.name);
        if (!field) return std::unexpected(field.error());
        std::string& place = origins[static_cast<std::size_t>(*field - kSettings.fields.data())].place;
        if (place == "as given")
            return failure(ErrorCode::badarg, std::string(change.name) + " is given twice");
        place = "as given";
        const auto value = core::parse_value(**field, change.name, change.text);
        if (!value) return std::unexpected(value.error());
        core::write(**field, &result, *value);
    }
    if (auto kept = check_rules(result, origins); !kept) return std::unexpected(kept.error());
    return result;
}

}  // namespace evertick::config
