#include "config/assignment.hpp"

namespace evertick::config {

std::string suggestion(std::string_view wanted, std::span<const std::string_view> names) {
    const std::string_view nearest = core::nearest_name(wanted, names);
    if (nearest.empty()) return "; --help lists what there is";
    return ", did you mean '" + std::string(nearest) + "'?";
}

}  // namespace evertick::config
