#include "server/log/level.hpp"

#include <algorithm>

namespace evertick::server {

std::optional<Level> find_level(std::string_view name) {
    const auto names = words(Level{});
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) return std::nullopt;
    return static_cast<Level>(found - names.begin());
}

}  // namespace evertick::server
