#pragma once
// What changes when the settings are loaded again while the server runs. Pure.

#include <span>
#include <string_view>
#include <vector>

#include "config/settings.hpp"
#include "core/result.hpp"

namespace evertick::config {

// Names of settings whose values differ, in the order of kSettings.
struct Changes {
    std::vector<std::string_view> reloadable;
    std::vector<std::string_view> needs_restart;
};
Changes changes(const Settings& before, const Settings& after);

// `before` with the reloadable settings of `after`: what the server runs with from now on.
Settings reloaded(const Settings& before, const Settings& after);

// One setting as a client names it while the server runs.
struct Change {
    std::string_view name, text;
};

// `before` with these changes: all of them, or an error.
// errors: BADARG: unknown setting (with the nearest), given twice, value, rule between settings; ERR: a
// setting
//         that needs a restart
core::Result<Settings> changed(const Settings& before, std::span<const Change> changes);

}  // namespace evertick::config
