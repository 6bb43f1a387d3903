#include "tests/fuzz/asked.hpp"

#include "server/commands/table.hpp"

namespace evertick::fuzz {

Asked read_asked(std::span<const std::string_view> words) {
    Asked asked;
    bool tagged = false;
    for (; !words.empty(); words = words.subspan(1)) {
        const bool tag = !tagged && words[0].size() > 1 && words[0][0] == '@';
        const bool json = !asked.json && commands::equal_ignoring_case(words[0], "JSON");
        if (!tag && !json) break;
        tagged |= tag;
        asked.json |= json;
    }
    if (words.empty()) return asked;
    if (const auto resolved = commands::resolve(words)) asked.command = resolved->command;
    return asked;
}

}  // namespace evertick::fuzz
