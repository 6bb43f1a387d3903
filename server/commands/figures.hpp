#pragma once
// Figures for people to read.

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>

namespace evertick::commands {

inline std::string fixed(double value, int decimals) {
    std::array<char, 64> buffer;
    const int length = std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
    return {buffer.data(), static_cast<std::size_t>(length)};
}

inline std::string megabytes(std::uint64_t bytes) {
    return fixed(static_cast<double>(bytes) / 1e6, 1) + " MB";
}

}  // namespace evertick::commands
