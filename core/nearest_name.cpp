#include "core/nearest_name.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace evertick::core {
namespace {

constexpr std::size_t kMaxLength = 64;
using Row = std::array<std::size_t, kMaxLength + 1>;

char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool same(char a, char b) { return lower(a) == lower(b); }

// Optimal string alignment distance, over the last three rows of its table.
// requires: neither is longer than kMaxLength
std::size_t edit_distance(std::string_view a, std::string_view b) {
    Row before{}, previous{}, current{};
    for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = previous[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1);
            current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                current[j] = std::min(current[j], before[j - 2] + 1);
        }
        before = std::exchange(previous, current);
    }
    return previous[b.size()];
}

std::size_t worthwhile_distance(std::size_t length) {
    return length < 3 ? length / 2 : length / 3;  // one letter resembles nothing
}

}  // namespace

std::string_view nearest_name(std::string_view wanted, std::span<const std::string_view> names) {
    if (wanted.size() > kMaxLength) return {};
    std::string_view nearest;
    std::size_t least = worthwhile_distance(wanted.size()) + 1;
    for (const std::string_view name : names) {
        if (name.size() > kMaxLength) continue;
        const std::size_t distance = edit_distance(wanted, name);
        if (distance >= least) continue;
        least = distance;
        nearest = name;
    }
    return nearest;
}

std::string did_you_mean(std::string_view wanted, std::span<const std::string_view> names,
                         std::string_view prefix) {
    const std::string_view nearest = nearest_name(wanted, names);
    if (nearest.empty()) return {};
    return " (did you mean '" + std::string(prefix) + std::string(nearest) + "'?)";
}

}  // namespace evertick::core
