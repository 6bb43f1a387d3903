#pragma once
// How one message becomes one line, its end included. Pure.

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "server/log/level.hpp"

namespace evertick::server {

// 2024-06-07T08:09:10.123Z, in UTC
std::string timestamp(std::chrono::system_clock::time_point time);

// requires (both): message is printable ASCII
std::string text_line(std::chrono::system_clock::time_point time, Level level, std::string_view message);
std::string json_line(std::chrono::system_clock::time_point time, Level level, std::string_view message);

}  // namespace evertick::server
