#include "core/schema.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/verify.hpp"

namespace evertick::core {
namespace {

// The longest "a=1,2,..." form; set_all() holds its values on the stack until all are known to be right.
constexpr std::size_t kMaxListedFields = 16;

template <class T>
T load(const void* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

template <class T>
void store(void* at, const T& value) {
    std::memcpy(at, &value, sizeof value);
}

// A number narrowed to its member, which the field's kind and limits make lossless.
template <class Member, class Number>
void store_number(const Field& field, void* at, Number value) {
    verify(std::in_range<Member>(value), "write: the value does not fit the field's type");
    const auto number = static_cast<double>(value);
    verify(field.info.min <= number && number <= field.info.max,
           "write: the value is outside the field's limits");
    store(at, static_cast<Member>(value));
}

template <class Number>
void store_float(const Field& field, void* at, Number value) {
    const double number = value;
    verify(field.info.min <= number && number <= field.info.max,
           "write: the value is outside the field's limits");
    store(at, value);
}

template <class T>
const T& expected_kind(const FieldValue& value) {
    const T* const held = std::get_if<T>(&value);
    verify(held != nullptr, "the value is not of the field's kind");
    return *held;
}

// Whether a value is one of the field's.
struct Validity {
    const FieldInfo& info;

    template <class Number>
        requires std::is_arithmetic_v<Number>
    bool operator()(Number value) const {
        const auto number = static_cast<double>(value);
        return info.min <= number && number <= info.max;  // false for NaN
    }
    bool operator()(const WordValue& value) const { return value.number < value.words.size(); }
    bool operator()(const FlagValue& value) const {
        return value.words.size() >= 32 || value.bits >> value.words.size() == 0;
    }
    bool operator()(Handle) const { return true; }
    bool operator()(std::string_view) const { return true; }
};

std::uint32_t current_flags(const Field& field, void* record) {
    return field.kind == Kind::flags ? load<std::uint32_t>(field.at(record)) : 0;
}

std::string path(const RecordType& type, const Field& field) {
    return std::string(type.name).append(".").append(field.name);
}

Result<FieldValue> parse_member(const RecordType& type, const Field& field, void* record,
                                std::string_view text) {
    // The path is wanted only in an error; making it for every value would cost an allocation.
    auto value = parse_value(field, {}, text, current_flags(field, record));
    if (!value) value.error().message.insert(0, path(type, field));
    return value;
}

// What a value is compared by.
std::uint8_t comparable(const WordValue& value) { return value.number; }
std::uint32_t comparable(const FlagValue& value) { return value.bits; }
std::uint64_t comparable(Handle value) { return value.raw; }
template <class Plain>
Plain comparable(Plain value) {
    return value;
}

std::size_t count_items(std::string_view list) {
    return static_cast<std::size_t>(std::ranges::count(list, ',')) + 1;
}

Result<> check_count(const RecordType& type, std::size_t given) {
    const auto required = static_cast<std::size_t>(
        std::ranges::count_if(type.fields, [](const Field& field) { return !field.info.optional; }));
    if (required <= given && given <= type.fields.size()) return {};
    std::string message(type.name);
    message +=
        ": " + std::to_string(given) + (given == 1 ? " value is given" : " values are given") + "; expected ";
    std::size_t listed = 0;
    for (const Field& field : type.fields) {
        if (field.info.optional) message += '[';
        if (listed++ > 0) message += ',';
        message += field.name;
    }
    message.append(type.fields.size() - required, ']');
    if (type.fields.size() > 1) message += " without spaces";
    return failure(ErrorCode::badarg, std::move(message));
}

}  // namespace

const Field* RecordType::find(std::string_view field_name) const {
    const auto found = std::ranges::find(fields, field_name, &Field::name);
    return found == fields.end() ? nullptr : &*found;
}

FieldValue read(const Field& field, const void* record) {
    const void* const at = field.at(const_cast<void*>(record));  // at() only computes an address
    switch (field.kind) {
        case Kind::boolean: return load<bool>(at);
        case Kind::i32: return std::int64_t{load<std::int32_t>(at)};
        case Kind::u32: return std::uint64_t{load<std::uint32_t>(at)};
        case Kind::i64: return load<std::int64_t>(at);
        case Kind::u64: return load<std::uint64_t>(at);
        case Kind::f32: return load<float>(at);
        case Kind::f64: return load<double>(at);
        case Kind::word: return WordValue{load<std::uint8_t>(at), field.words()};
        case Kind::flags: return FlagValue{load<std::uint32_t>(at), field.words()};
        case Kind::handle: return load<Handle>(at);
        case Kind::text: return std::string_view(*static_cast<const std::string*>(at));
    }
    std::unreachable();
}

bool is_valid(const Field& field, const void* record) {
    return std::visit(Validity{field.info}, read(field, record));
}

void write(const Field& field, void* record, const FieldValue& value) {
    void* const at = field.at(record);
    switch (field.kind) {
        case Kind::boolean: store(at, expected_kind<bool>(value)); return;
        case Kind::i32: store_number<std::int32_t>(field, at, expected_kind<std::int64_t>(value)); return;
        case Kind::u32: store_number<std::uint32_t>(field, at, expected_kind<std::uint64_t>(value)); return;
        case Kind::i64: store_number<std::int64_t>(field, at, expected_kind<std::int64_t>(value)); return;
        case Kind::u64: store_number<std::uint64_t>(field, at, expected_kind<std::uint64_t>(value)); return;
        case Kind::f32: store_float(field, at, expected_kind<float>(value)); return;
        case Kind::f64: store_float(field, at, expected_kind<double>(value)); return;
        case Kind::word: store(at, expected_kind<WordValue>(value).number); return;
        case Kind::flags: store(at, expected_kind<FlagValue>(value).bits); return;
        case Kind::handle: store(at, expected_kind<Handle>(value)); return;
        case Kind::text:
            static_cast<std::string*>(at)->assign(expected_kind<std::string_view>(value));
            return;
    }
    std::unreachable();
}

Result<> set_field(const RecordType& type, const Field& field, void* record, std::string_view text) {
    const auto value = parse_member(type, field, record, text);
    if (!value) return std::unexpected(value.error());
    write(field, record, *value);
    return {};
}

Result<> set_all(const RecordType& type, void* record, std::string_view text) {
    if (type.fields.size() == 1) return set_field(type, type.fields.front(), record, text);
    verify(type.fields.size() <= kMaxListedFields, "set_all: the record has too many fields for a list");
    const std::size_t count = count_items(text);
    if (auto counted = check_count(type, count); !counted) return counted;
    std::array<FieldValue, kMaxListedFields> values;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t comma = std::min(text.find(','), text.size());
        auto value = parse_member(type, type.fields[i], record, text.substr(0, comma));
        if (!value) return std::unexpected(std::move(value.error()));
        values[i] = *value;
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    for (std::size_t i = 0; i < count; ++i) write(type.fields[i], record, values[i]);
    return {};
}

bool compare(const FieldValue& left, Comparison op, const FieldValue& right) {
    const int order = std::visit(
        [&](const auto& value) {
            const auto a = comparable(value);
            const auto b = comparable(expected_kind<std::remove_cvref_t<decltype(value)>>(right));
            return a < b ? -1 : static_cast<int>(b < a);
        },
        left);
    switch (op) {
        case Comparison::less: return order < 0;
        case Comparison::less_equal: return order <= 0;
        case Comparison::equal: return order == 0;
        case Comparison::not_equal: return order != 0;
        case Comparison::greater_equal: return order >= 0;
        case Comparison::greater: return order > 0;
    }
    std::unreachable();
}

}  // namespace evertick::core
