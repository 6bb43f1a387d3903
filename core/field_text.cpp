// The text forms of a field's value: reading, printing, and saying what would have been right.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <expected>
#include <utility>

#include "core/number.hpp"
#include "core/quote.hpp"
#include "core/schema.hpp"

namespace evertick::core {
namespace {

// Why a text is not a value of its field; a full sentence is made only when it is wanted.
using Parsed = std::expected<FieldValue, std::string>;

std::string reason(NumberFault fault, bool whole, std::string_view text) {
    switch (fault) {
        case NumberFault::syntax:
            return quote(text) + (whole ? " is not a whole number" : " is not a number such as -0.5");
        case NumberFault::too_small: return quote(text) + " is too small";
        case NumberFault::too_large: return quote(text) + " is too large";
    }
    std::unreachable();
}

// The whole numbers of a type that lie within limits given as doubles, exactly.
template <std::integral Number>
Number lowest_within(double min) {
    using Limits = std::numeric_limits<Number>;
    return min <= static_cast<double>(Limits::min()) ? Limits::min() : static_cast<Number>(std::ceil(min));
}
template <std::integral Number>
Number highest_within(double max) {
    using Limits = std::numeric_limits<Number>;
    return max >= static_cast<double>(Limits::max()) ? Limits::max() : static_cast<Number>(std::floor(max));
}

template <std::integral Number>
std::expected<Number, NumberFault> within_limits(Number value, const FieldInfo& info, std::string_view) {
    if (value < lowest_within<Number>(info.min)) return std::unexpected(NumberFault::too_small);
    if (value > highest_within<Number>(info.max)) return std::unexpected(NumberFault::too_large);
    return value;
}
// A float is judged by the number that was written: 100.0000001 is over 100 although it rounds to it.
template <std::floating_point Number>
std::expected<Number, NumberFault> within_limits(Number value, const FieldInfo& info, std::string_view text) {
    double exact = value;
    if (std::same_as<Number, float> && (exact == info.min || exact == info.max))
        exact = parse_number<double>(text).value_or(exact);
    if (exact < info.min) return std::unexpected(NumberFault::too_small);
    if (exact > info.max) return std::unexpected(NumberFault::too_large);
    return value;
}

// Wide is the type that carries the number in a FieldValue.
template <class Number, class Wide>
Parsed parse_as(const FieldInfo& info, std::string_view text) {
    auto value = parse_number<Number>(text);
    if (value) value = within_limits(*value, info, text);
    if (!value) return std::unexpected(reason(value.error(), std::integral<Number>, text));
    return FieldValue{Wide{*value}};
}

Parsed parse_boolean(std::string_view text) {
    if (text == "true" || text == "false") return FieldValue{text == "true"};
    return std::unexpected(quote(text) + " is not a boolean");
}

Parsed parse_word(std::span<const std::string_view> words, std::string_view text) {
    const auto found = std::ranges::find(words, text);
    if (found == words.end()) return std::unexpected(quote(text) + " is unknown" + did_you_mean(text, words));
    return FieldValue{WordValue{static_cast<std::uint8_t>(found - words.begin()), words}};
}

// Calls use(item) for each item of a comma list until one returns false; says whether all returned true.
template <class Use>
bool each_item(std::string_view list, Use use) {
    while (true) {
        const std::size_t comma = list.find(',');
        if (!use(list.substr(0, comma))) return false;
        if (comma == std::string_view::npos) return true;
        list.remove_prefix(comma + 1);
    }
}

Parsed parse_flags(std::span<const std::string_view> words, std::string_view text, std::uint32_t current) {
    if (text == "none") return FieldValue{FlagValue{0, words}};
    const auto is_edit = [](std::string_view item) { return item.starts_with('+') || item.starts_with('-'); };
    const bool edits = is_edit(text);
    std::uint32_t bits = edits ? current : 0;
    std::string fault;
    const bool ok = each_item(text, [&](std::string_view item) {
        if (is_edit(item) != edits) {
            fault = quote(text) + " mixes flags with +edits and -edits";
            return false;
        }
        const auto found = std::ranges::find(words, item.substr(edits ? 1 : 0));
        if (found == words.end()) {
            const std::string_view name = item.substr(edits ? 1 : 0);
            fault = "flag " + quote(name) + " is unknown" + did_you_mean(name, words);
            return false;
        }
        const std::uint32_t bit = std::uint32_t{1} << (found - words.begin());
        bits = item.starts_with('-') ? bits & ~bit : bits | bit;
        return true;
    });
    if (!ok) return std::unexpected(std::move(fault));
    return FieldValue{FlagValue{bits, words}};
}

Parsed parse_handle_field(std::string_view text) {
    if (const auto handle = parse_handle(text)) return FieldValue{*handle};
    return std::unexpected(quote(text) + " is not an entity");
}

Parsed parse(const Field& field, std::string_view text, std::uint32_t current_flags) {
    switch (field.kind) {
        case Kind::boolean: return parse_boolean(text);
        case Kind::i32: return parse_as<std::int32_t, std::int64_t>(field.info, text);
        case Kind::u32: return parse_as<std::uint32_t, std::uint64_t>(field.info, text);
        case Kind::i64: return parse_as<std::int64_t, std::int64_t>(field.info, text);
        case Kind::u64: return parse_as<std::uint64_t, std::uint64_t>(field.info, text);
        case Kind::f32: return parse_as<float, float>(field.info, text);
        case Kind::f64: return parse_as<double, double>(field.info, text);
        case Kind::word: return parse_word(field.words(), text);
        case Kind::flags: return parse_flags(field.words(), text, current_flags);
        case Kind::handle: return parse_handle_field(text);
        case Kind::text: return FieldValue{text};
    }
    std::unreachable();
}

std::string joined(std::span<const std::string_view> words) {
    std::string out;
    for (const std::string_view word : words) {
        if (!out.empty()) out += ", ";
        out += word;
    }
    return out;
}

// A limit as a person writes it: 1000000, not 1e+06.
std::string limit_text(double limit) {
    std::string out;
    if (std::abs(limit) < 9e18 && limit == std::floor(limit))
        append_number(out, static_cast<std::int64_t>(limit));
    else
        append_number(out, limit);
    return out;
}

template <std::integral Number>
std::string integer_form(const FieldInfo& info) {
    std::string out = "an integer from ";
    append_number(out, lowest_within<Number>(info.min));
    out += " to ";
    append_number(out, highest_within<Number>(info.max));
    return out;
}

std::string float_form(const FieldInfo& info) {
    const bool has_min = info.min > std::numeric_limits<double>::lowest();
    const bool has_max = info.max < std::numeric_limits<double>::max();
    if (has_min && has_max) return "a number from " + limit_text(info.min) + " to " + limit_text(info.max);
    if (has_min) return "a number of at least " + limit_text(info.min);
    if (has_max) return "a number of at most " + limit_text(info.max);
    return "a number";
}

std::string form_without_unit(const Field& field) {
    switch (field.kind) {
        case Kind::boolean: return "true or false";
        case Kind::i32: return integer_form<std::int32_t>(field.info);
        case Kind::u32: return integer_form<std::uint32_t>(field.info);
        case Kind::i64: return integer_form<std::int64_t>(field.info);
        case Kind::u64: return integer_form<std::uint64_t>(field.info);
        case Kind::f32:
        case Kind::f64: return float_form(field.info);
        case Kind::word: return "one of " + joined(field.words());
        case Kind::flags:
            return "none, or some of " + joined(field.words()) +
                   " joined by commas, or edits of what is set such as +" +
                   std::string(field.words().front());
        case Kind::handle: return "index:generation such as 3:1, a raw integer, or none";
        case Kind::text: return "text";
    }
    std::unreachable();
}

void append_flags(std::string& out, const FlagValue& value) {
    bool first = true;
    for (std::size_t bit = 0; bit < value.words.size(); ++bit) {
        if ((value.bits >> bit & 1U) == 0) continue;
        if (!std::exchange(first, false)) out += ',';
        out += value.words[bit];
    }
    if (first) out += "none";
}

// No handle is not written by its bits: it is called "none".
std::optional<Handle> some_handle(std::expected<std::uint64_t, NumberFault> raw) {
    return raw && Handle{*raw} != Handle{} ? std::optional(Handle{*raw}) : std::nullopt;
}

}  // namespace

Result<FieldValue> parse_value(const Field& field, std::string_view where, std::string_view text,
                               std::uint32_t current_flags) {
    auto value = parse(field, text, current_flags);
    if (value) return *value;
    return failure(ErrorCode::badarg,
                   std::string(where) + ": " + value.error() + "; expected " + accepted_form(field));
}

std::string accepted_form(const Field& field) {
    std::string out = form_without_unit(field);
    if (!field.info.unit.empty()) out.append(" (").append(field.info.unit).append(")");
    return out;
}

void append_text(std::string& out, const FieldValue& value) {
    struct Append {
        std::string& out;
        void operator()(bool v) const { out += v ? "true" : "false"; }
        void operator()(std::int64_t v) const { append_number(out, v); }
        void operator()(std::uint64_t v) const { append_number(out, v); }
        void operator()(float v) const { append_number(out, v); }
        void operator()(double v) const { append_number(out, v); }
        void operator()(const WordValue& v) const { out += v.text(); }
        void operator()(const FlagValue& v) const { append_flags(out, v); }
        void operator()(Handle v) const { append_handle(out, v); }
        void operator()(std::string_view v) const { out += v; }
    };
    std::visit(Append{out}, value);
}

HandleText::HandleText(Handle handle) {
    constexpr std::string_view kNone = "none";
    char* const limit = bytes_.data() + bytes_.size();
    if (handle == Handle{}) {
        end_ = std::ranges::copy(kNone, bytes_.data()).out;
        return;
    }
    end_ = std::to_chars(bytes_.data(), limit, static_cast<std::uint32_t>(handle.raw)).ptr;
    *end_++ = ':';
    end_ = std::to_chars(end_, limit, static_cast<std::uint32_t>(handle.raw >> 32U)).ptr;
}

void append_handle(std::string& out, Handle handle) { out += HandleText(handle).text(); }

std::optional<Handle> parse_handle(std::string_view text) {
    if (text == "none") return Handle{};
    if (text.find_first_of("+-") != std::string_view::npos) return std::nullopt;
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return some_handle(parse_number<std::uint64_t>(text));
    const auto index = parse_number<std::uint32_t>(text.substr(0, colon));
    const auto generation = parse_number<std::uint32_t>(text.substr(colon + 1));
    if (!index || !generation) return std::nullopt;
    return some_handle(std::uint64_t{*generation} << 32U | *index);
}

}  // namespace evertick::core
