#pragma once
// Where the value of a setting comes from, so that every complaint and --print-config can name it.

#include <cstdint>
#include <string>
#include <string_view>

namespace evertick::config {

enum class Source : std::uint8_t { defaults, file, environment, command_line };

struct Origin {
    Source source = Source::defaults;
    std::string place =
        "default";  // "default", "evertick.toml:3", "environment EVERTICK_PORT", "command line"
};

}  // namespace evertick::config
