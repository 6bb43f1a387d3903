#include "config/assignment.hpp"

namespace evertick::config {

std::string suggestion(std::string_view wanted, std::span<const std::string> names, std::string_view prefix) {
    const std::vector<std::string_view> views(names.begin(), names.end());
    const std::string_view nearest = core::nearest_name(wanted, views);
    if (nearest.empty()) return "; --help lists what there is";
    return ", did you mean '" + std::string(prefix) + std::string(nearest) + "'?";
}

}  // namespace evertick::config
