#include "config/assignment.hpp"

namespace evertick::config {

std::string suggestion(std::string_view wanted, std::span<const std::string> names, std::string_view prefix) {
    const std::vector<std::string_view> views(names.begin(), names.end());
    const std::string nearest = core::did_you_mean(wanted, views, prefix);
    return nearest.empty() ? "; --help lists what there is" : nearest;
}

}  // namespace evertick::config
