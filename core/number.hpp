#pragma once
// Decimal text to number and back, the same everywhere: protocol, settings, files. Locale never matters.
//
//   integer  [+-]digits                          float  [+-]digits[.digits][e[+-]digits]
//
// The whole text must be the number: no spaces, no hex, no ".5" or "5.", no nan or inf. Leading zeros are
// fine. A float nearer to zero than the smallest one is 0.

#include <array>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace evertick::core {

enum class NumberFault : std::uint8_t { syntax, too_small, too_large };

// Number is std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float or double.
// cost: O(length), no allocation
template <class Number>
std::expected<Number, NumberFault> parse_number(std::string_view text);

// The shortest text that reads back to the same number, on the stack.
class NumberText {
  public:
    // requires: finite (verified)
    template <class Number>
    explicit NumberText(Number value);
    NumberText(const NumberText&) = delete;
    NumberText& operator=(const NumberText&) = delete;

    std::string_view text() const { return {bytes_.data(), end_}; }

  private:
    std::array<char, 32> bytes_;  // the longest is -2.2250738585072014e-308
    char* end_;
};

// Appends that text. requires: finite (verified)
template <class Number>
void append_number(std::string& out, Number value) {
    out += NumberText(value).text();
}

}  // namespace evertick::core
