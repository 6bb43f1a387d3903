#pragma once
// What a source (file, environment, command line) says about one setting, before it is judged: the three
// sources differ in how they name a setting, and in nothing else.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/origin.hpp"
#include "core/result.hpp"
#include "core/schema.hpp"

namespace evertick::config {

struct Assignment {
    const core::Field* field = nullptr;  // a row of kSettings
    std::string text;                    // the value, as core::parse_value reads it
    std::string where;  // how errors name it: "--port", "EVERTICK_PORT", "evertick.toml:3: port"
    Origin origin;
};

using Assignments = core::Result<std::vector<Assignment>>;

// " (did you mean 'x'?)", or where all names are listed when none is near. All without the prefix, which
// would make them look alike; it is put before the one suggested.
std::string suggestion(std::string_view wanted, std::span<const std::string> names, std::string_view prefix);

}  // namespace evertick::config
