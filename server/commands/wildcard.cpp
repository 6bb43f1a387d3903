#include "server/commands/wildcard.hpp"

#include "server/commands/table.hpp"

namespace evertick::commands {

bool matches_wildcard(std::string_view pattern, std::string_view text) {
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = std::string_view::npos;  // the last * seen: only it ever needs to take more
    std::size_t star_text = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            star_text = t;
        } else if (p < pattern.size() &&
                   (pattern[p] == '?' || equal_ignoring_case(pattern.substr(p, 1), text.substr(t, 1)))) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++star_text;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

}  // namespace evertick::commands
