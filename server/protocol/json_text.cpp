#include "server/protocol/json_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace evertick::protocol {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD in UTF-8

// True for the bytes that stand for themselves in a JSON string: ASCII without controls, '"' and '\'.
constexpr auto kPlain = [] {
    std::array<bool, 256> plain{};
    for (std::size_t byte = 0x20; byte < 0x80; ++byte) plain[byte] = byte != '"' && byte != '\\';
    return plain;
}();

bool is_plain(char c) { return kPlain[static_cast<unsigned char>(c)]; }

void append_escaped(std::string& out, char c) {
    constexpr std::string_view kHex = "0123456789abcdef";
    switch (c) {
        case '"': out += "\\\""; return;
        case '\\': out += "\\\\"; return;
        case '\n': out += "\\n"; return;
        case '\r': out += "\\r"; return;
        case '\t': out += "\\t"; return;
        default: break;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += {'\\', 'u', '0', '0', kHex[byte >> 4U], kHex[byte & 15U]};
}

// What may follow a lead byte. The second byte's range excludes overlong forms, surrogates and what is above
// U+10FFFF; every later byte is 0x80..0xbf.
struct Lead {
    unsigned char first, last;  // lead bytes of this row
    unsigned char second_min, second_max;
    std::size_t size_bytes;
};
constexpr std::array kLeads{Lead{0xc2, 0xdf, 0x80, 0xbf, 2}, Lead{0xe0, 0xe0, 0xa0, 0xbf, 3},
                            Lead{0xe1, 0xec, 0x80, 0xbf, 3}, Lead{0xed, 0xed, 0x80, 0x9f, 3},
                            Lead{0xee, 0xef, 0x80, 0xbf, 3}, Lead{0xf0, 0xf0, 0x90, 0xbf, 4},
                            Lead{0xf1, 0xf3, 0x80, 0xbf, 4}, Lead{0xf4, 0xf4, 0x80, 0x8f, 4}};

// Size of the well-formed sequence of several bytes at the front; 0 when there is none.
std::size_t sequence_bytes(std::string_view bytes) {
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const auto lead =
        std::ranges::find_if(kLeads, [&](const Lead& l) { return at(0) >= l.first && at(0) <= l.last; });
    if (lead == kLeads.end() || bytes.size() < lead->size_bytes) return 0;
    if (at(1) < lead->second_min || at(1) > lead->second_max) return 0;
    for (std::size_t i = 2; i < lead->size_bytes; ++i)
        if (at(i) < 0x80 || at(i) > 0xbf) return 0;
    return lead->size_bytes;
}

}  // namespace

void append_json_string(std::string& out, std::string_view bytes) {
    out += '"';
    while (!bytes.empty()) {
        const auto plain =
            static_cast<std::size_t>(std::ranges::find_if_not(bytes, is_plain) - bytes.begin());
        out += bytes.substr(0, plain);
        bytes.remove_prefix(plain);
        if (bytes.empty()) break;
        if (static_cast<unsigned char>(bytes.front()) < 0x80) {
            append_escaped(out, bytes.front());
            bytes.remove_prefix(1);
            continue;
        }
        const std::size_t sequence = sequence_bytes(bytes);
        out += sequence > 0 ? bytes.substr(0, sequence) : kReplacement;
        bytes.remove_prefix(std::max<std::size_t>(sequence, 1));
    }
    out += '"';
}

}  // namespace evertick::protocol
