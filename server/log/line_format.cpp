#include "server/log/line_format.hpp"

#include <cstdio>
#include <utility>

namespace evertick::server {
namespace {

constexpr std::size_t kLevelWidth = 8;

std::string_view word(Level level) { return words(level)[std::to_underlying(level)]; }

// Printable ASCII leaves two characters that a JSON string must escape.
void append_json_escaped(std::string& out, std::string_view printable) {
    for (const char letter : printable) {
        if (letter == '"' || letter == '\\') out += '\\';
        out += letter;
    }
}

}  // namespace

std::string timestamp(std::chrono::system_clock::time_point time) {
    using namespace std::chrono;
    const auto day = floor<days>(time);
    const year_month_day date{day};
    const hh_mm_ss clock{floor<milliseconds>(time - day)};
    char text[64];
    const int length = std::snprintf(
        text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
        static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
        static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
        static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
    return {text, static_cast<std::size_t>(length)};
}

std::string text_line(std::chrono::system_clock::time_point time, Level level, std::string_view message) {
    std::string line = timestamp(time) + " ";
    line += word(level);
    line.append(kLevelWidth - word(level).size(), ' ');
    line += message;
    return line += '\n';
}

std::string json_line(std::chrono::system_clock::time_point time, Level level, std::string_view message) {
    std::string line = "{\"time\":\"" + timestamp(time) + "\",\"level\":\"";
    line += word(level);
    line += "\",\"message\":\"";
    append_json_escaped(line, message);
    return line += "\"}\n";
}

}  // namespace evertick::server
