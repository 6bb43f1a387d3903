#pragma once
// What changes when the settings are loaded again while the server runs. Pure.

#include <string_view>
#include <vector>

#include "config/settings.hpp"

namespace evertick::config {

// Names of settings whose values differ, in the order of kSettings.
struct Changes {
    std::vector<std::string_view> reloadable;
    std::vector<std::string_view> needs_restart;
};
Changes changes(const Settings& before, const Settings& after);

// `before` with the reloadable settings of `after`: what the server runs with from now on.
Settings reloaded(const Settings& before, const Settings& after);

}  // namespace evertick::config
