#include "core/number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <limits>

#include "core/verify.hpp"

namespace evertick::core {
namespace {

// A loop, since find_first_not_of() is a call for every character.
std::size_t digit_count(std::string_view text) {
    std::size_t count = 0;
    while (count < text.size() && text[count] >= '0' && text[count] <= '9') ++count;
    return count;
}

bool takes_sign(std::string_view& text) {
    if (!text.starts_with('-') && !text.starts_with('+')) return false;
    const bool minus = text.front() == '-';
    text.remove_prefix(1);
    return minus;
}

// An unsigned number cut at its marks: 12.5e-3 is "12", "5", "-3".
struct DecimalParts {
    std::string_view whole, fraction, exponent;
};

bool take_digits(std::string_view& text, std::string_view& digits) {
    digits = text.substr(0, digit_count(text));
    text.remove_prefix(digits.size());
    return !digits.empty();
}

bool take_mark(std::string_view& text, char mark) {
    if (!text.starts_with(mark)) return false;
    text.remove_prefix(1);
    return true;
}

// False when the text does not follow the grammar.
bool split(std::string_view text, DecimalParts& parts) {
    if (!take_digits(text, parts.whole)) return false;
    if (take_mark(text, '.') && !take_digits(text, parts.fraction)) return false;
    if (!take_mark(text, 'e')) return text.empty();
    parts.exponent = text;
    takes_sign(text);
    return !text.empty() && digit_count(text) == text.size();
}

// Which power of ten the first digit that is not 0 stands for; large exponents saturate.
std::int64_t magnitude(const DecimalParts& parts) {
    std::string_view digits = parts.exponent;
    const bool minus = takes_sign(digits);
    constexpr std::int64_t kSaturated = std::int64_t{1} << 60;
    std::int64_t exponent = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), exponent).ec != std::errc{} &&
        !digits.empty())
        exponent = kSaturated;
    exponent = std::min(exponent, kSaturated) * (minus ? -1 : 1);
    if (const std::size_t at = parts.whole.find_first_not_of('0'); at != std::string_view::npos)
        return exponent + static_cast<std::int64_t>(parts.whole.size() - at);
    const std::size_t zeros = std::min(parts.fraction.find_first_not_of('0'), parts.fraction.size());
    return exponent - static_cast<std::int64_t>(zeros);
}

template <std::floating_point Number>
std::expected<Number, NumberFault> parse(std::string_view text) {
    const bool minus = takes_sign(text);
    DecimalParts parts;
    if (!split(text, parts)) return std::unexpected(NumberFault::syntax);
    Number value = 0;
    const auto done = std::from_chars(text.data(), text.data() + text.size(), value);
    if (done.ec == std::errc::result_out_of_range || std::isinf(value)) {
        if (magnitude(parts) > 0)
            return std::unexpected(minus ? NumberFault::too_small : NumberFault::too_large);
        return Number{0};
    }
    return minus ? -value : value;
}

template <std::integral Number>
std::expected<Number, NumberFault> parse(std::string_view text) {
    const bool minus = takes_sign(text);
    if (text.empty() || digit_count(text) != text.size()) return std::unexpected(NumberFault::syntax);
    const NumberFault beyond = minus ? NumberFault::too_small : NumberFault::too_large;
    std::uint64_t size = 0;  // without the sign
    if (std::from_chars(text.data(), text.data() + text.size(), size).ec != std::errc{})
        return std::unexpected(beyond);
    using Limits = std::numeric_limits<Number>;
    constexpr auto kMax = static_cast<std::uint64_t>(Limits::max());
    constexpr std::uint64_t kMaxBelowZero = std::signed_integral<Number> ? kMax + 1 : 0;
    if (size > (minus ? kMaxBelowZero : kMax)) return std::unexpected(beyond);
    return static_cast<Number>(minus ? 0 - size : size);
}

}  // namespace

template <class Number>
std::expected<Number, NumberFault> parse_number(std::string_view text) {
    return parse<Number>(text);
}

template <class Number>
NumberText::NumberText(Number value) {
    if constexpr (std::floating_point<Number>) verify(std::isfinite(value), "NumberText: not finite");
    end_ = std::to_chars(bytes_.data(), bytes_.data() + bytes_.size(), value).ptr;
}

template std::expected<std::int32_t, NumberFault> parse_number(std::string_view);
template std::expected<std::uint32_t, NumberFault> parse_number(std::string_view);
template std::expected<std::int64_t, NumberFault> parse_number(std::string_view);
template std::expected<std::uint64_t, NumberFault> parse_number(std::string_view);
template std::expected<float, NumberFault> parse_number(std::string_view);
template std::expected<double, NumberFault> parse_number(std::string_view);

template NumberText::NumberText(std::int32_t);
template NumberText::NumberText(std::uint32_t);
template NumberText::NumberText(std::int64_t);
template NumberText::NumberText(std::uint64_t);
template NumberText::NumberText(float);
template NumberText::NumberText(double);

}  // namespace evertick::core
