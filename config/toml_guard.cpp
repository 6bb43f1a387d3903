#include "config/toml_guard.hpp"

#include <algorithm>

namespace evertick::config {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// The length of the string at the front, with its quotes; one that is not closed ends with its line or the
// text. requires: text begins with a quote
std::size_t string_length(std::string_view text) {
    const char quote = text.front();
    const std::string_view triple = quote == '"' ? "\"\"\"" : "'''";
    const bool many_lines = text.starts_with(triple);
    const std::string_view delimiter = triple.substr(0, many_lines ? 3 : 1);
    for (std::size_t at = delimiter.size(); at < text.size(); ++at) {
        if (text.substr(at).starts_with(delimiter)) return at + delimiter.size();
        if (text[at] == '\n' && !many_lines) return at;
        if (text[at] == '\\' && quote == '"') ++at;  // what is escaped closes nothing
    }
    return text.size();
}

// The length of what is at the front: a string, a comment, or one byte.
std::size_t piece_length(std::string_view text) {
    if (text.front() == '"' || text.front() == '\'') return string_length(text);
    if (text.front() == '#') return std::min(text.find('\n'), text.size());
    return 1;
}

}  // namespace

std::optional<std::size_t> find_stray_byte(std::string_view text) {
    std::size_t at = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    while (at < text.size()) {
        if (static_cast<unsigned char>(text[at]) >= 0x80) return at;
        at += piece_length(text.substr(at));
    }
    return std::nullopt;
}

}  // namespace evertick::config
