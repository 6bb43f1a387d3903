#pragma once

#include <string_view>

namespace evertick {

inline constexpr std::string_view kVersion = EVERTICK_VERSION;  // from the project's CMake version

}  // namespace evertick
