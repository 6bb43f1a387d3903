#include "config/plain_text.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace evertick::config {
namespace {

// The forms of one character, by its first byte; lowest is the least value that needs that many bytes.
struct Form {
    std::uint8_t mask, first;
    std::size_t length;
    std::uint32_t lowest;
};
constexpr std::array kForms{Form{0x80, 0x00, 1, 0x20}, Form{0xe0, 0xc0, 2, 0xa0}, Form{0xf0, 0xe0, 3, 0x800},
                            Form{0xf8, 0xf0, 4, 0x10000}};

bool is_surrogate(std::uint32_t code) { return code >= 0xd800 && code <= 0xdfff; }

// The length of the character at the front, or 0 when it is none or a control character.
std::size_t character_length(std::string_view text) {
    const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(text[at]); };
    for (const Form& form : kForms) {
        if ((byte(0) & form.mask) != form.first) continue;
        if (text.size() < form.length) return 0;
        std::uint32_t code = byte(0) & static_cast<std::uint8_t>(~form.mask);
        for (std::size_t i = 1; i < form.length; ++i) {
            if ((byte(i) & 0xc0U) != 0x80) return 0;
            code = code << 6U | (byte(i) & 0x3fU);
        }
        const bool shown = code >= form.lowest && code != 0x7f && code <= 0x10ffff && !is_surrogate(code);
        return shown ? form.length : 0;
    }
    return 0;
}

}  // namespace

bool is_plain_text(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

}  // namespace evertick::config
