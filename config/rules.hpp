#pragma once
// What must hold between settings, beyond the limits each has by itself.

#include <span>
#include <string_view>

#include "config/origin.hpp"
#include "config/settings.hpp"
#include "core/result.hpp"

namespace evertick::config {

// The setting `lesser` may not exceed the setting `greater`, because `reason`.
struct Rule {
    std::string_view lesser, greater, reason;
};
std::span<const Rule> rules();

// origins: as kSettings.fields
// errors:  BADARG: names both settings, their values and origins, and the reason
core::Result<> check_rules(const Settings& settings, std::span<const Origin> origins);

}  // namespace evertick::config
