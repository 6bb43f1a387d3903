#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace evertick::server {

enum class Level : std::uint8_t { trace, debug, info, warning, error };

constexpr std::array<std::string_view, 5> words(Level) {
    return {"trace", "debug", "info", "warning", "error"};
}

// The level of that name, or nothing.
std::optional<Level> find_level(std::string_view name);

}  // namespace evertick::server
