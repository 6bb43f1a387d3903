#include "core/quote.hpp"

namespace evertick::core {
namespace {

void append_byte(std::string& out, char byte) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    const auto value = static_cast<unsigned char>(byte);
    if (value >= 0x20 && value < 0x7f) {
        out += byte;
    } else {
        out += "\\x";
        out += kDigits[value >> 4U];
        out += kDigits[value & 15U];
    }
}

}  // namespace

void append_escaped(std::string& out, std::string_view text, std::size_t max_bytes) {
    for (const char byte : text.substr(0, max_bytes)) append_byte(out, byte);
    if (text.size() > max_bytes) out += "...";
}

std::string quote(std::string_view text) {
    std::string out = "'";
    append_escaped(out, text, kMaxQuotedBytes);
    return out += '\'';
}

}  // namespace evertick::core
