#pragma once
// The arguments of the regions that filters and streams of events take.

#include <array>
#include <string_view>

#include "server/commands/command.hpp"

namespace evertick::commands {

constexpr Argument number_argument(std::string_view name) {
    return {.name = name, .type = ArgumentType::number};
}

inline constexpr std::array kNearParts{number_argument("x"), number_argument("y"), number_argument("z"),
                                       number_argument("radius")};
inline constexpr std::array kBoxParts{number_argument("x1"), number_argument("y1"), number_argument("z1"),
                                      number_argument("x2"), number_argument("y2"), number_argument("z2")};
inline constexpr Argument kNear{
    .name = "near", .type = ArgumentType::block, .token = "NEAR", .parts = kNearParts};
inline constexpr Argument kBox{
    .name = "box", .type = ArgumentType::block, .token = "BOX", .parts = kBoxParts};

}  // namespace evertick::commands
