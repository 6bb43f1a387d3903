#include "server/protocol/line_text.hpp"

namespace evertick::protocol {

// Not core::append_escaped: what a message quotes is escaped already, and its backslashes must not double.
void append_line_text(std::string& out, std::string_view text) {
    constexpr std::string_view kHex = "0123456789abcdef";
    for (const char c : text.substr(0, kMaxLineTextBytes)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f)
            out += c;
        else
            out += {'\\', 'x', kHex[byte >> 4U], kHex[byte & 15U]};
    }
    if (text.size() > kMaxLineTextBytes) out += "...";
}

}  // namespace evertick::protocol
