#pragma once
// A plain struct as data: its name, its fields, their units, limits and defaults. Everything that names a
// field at run time (protocol, JSON, HELP, settings, snapshots, filters) loops over this table, so a field
// is declared once. No macros, no registration: a struct T offers `static consteval auto schema()`.
//
//     struct Position {
//         float x = 0, y = 0, z = 0;
//         static consteval auto schema() {
//             return describe("position", "where the entity is",
//                             field<&Position::x>("x", {.unit = "m", .min = -100, .max = 100}), ...);
//         }
//     };
//     constexpr RecordType kPosition = record_type<Position>();
//
// Not a serialiser and not reflection of arbitrary types: only the kinds below have a text form.
// Thread safety: everything here is immutable or a pure function.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/nearest_name.hpp"  // for those who look up a name in a schema
#include "core/result.hpp"

namespace evertick::core {

enum class Kind : std::uint8_t { boolean, i32, u32, i64, u64, f32, f64, word, flags, handle, text };

// What a field of that kind takes in its record; 0 for a text, which lies elsewhere.
constexpr std::size_t size_bytes(Kind kind) {
    switch (kind) {
        case Kind::boolean:
        case Kind::word: return 1;
        case Kind::i32:
        case Kind::u32:
        case Kind::f32:
        case Kind::flags: return 4;
        case Kind::i64:
        case Kind::u64:
        case Kind::f64:
        case Kind::handle: return 8;
        case Kind::text: return 0;
    }
    std::unreachable();
}

// A set of named bits. Bit n is called words(Enum{})[n]; at most 32.
template <class Enum>
struct FlagSet {
    std::uint32_t bits = 0;
    constexpr bool has(Enum flag) const { return (bits >> static_cast<unsigned>(flag) & 1U) != 0; }
    constexpr bool operator==(const FlagSet&) const = default;
};

struct FieldInfo {
    std::string_view help;
    std::string_view unit;                               // SI symbol, empty when dimensionless
    double min = std::numeric_limits<double>::lowest();  // inclusive, in unit; exact below 2^53
    double max = std::numeric_limits<double>::max();     // inclusive, in unit
    bool optional = false;                               // "a=1,2" may leave it out, if it is at the end
    bool reloadable = false;                             // of a setting: takes effect without a restart
};

struct Field {
    std::string_view name;  // wire name: renaming it breaks clients and snapshots
    Kind kind;
    void* (*at)(void* record);                     // address of the member
    std::span<const std::string_view> (*words)();  // of a word or flags field; else nullptr
    FieldInfo info;
};

template <std::size_t N>
struct Schema {
    std::string_view name, help;
    std::array<Field, N> fields;
};

// What a field may be made of. Specialise for a type of your own that is a 64-bit handle.
template <class T>
struct FieldTraits {
    static consteval Kind kind_of() {
        if constexpr (std::is_same_v<T, bool>)
            return Kind::boolean;
        else if constexpr (std::is_same_v<T, std::int32_t>)
            return Kind::i32;
        else if constexpr (std::is_same_v<T, std::uint32_t>)
            return Kind::u32;
        else if constexpr (std::is_same_v<T, std::int64_t>)
            return Kind::i64;
        else if constexpr (std::is_same_v<T, std::uint64_t>)
            return Kind::u64;
        else if constexpr (std::is_same_v<T, float>)
            return Kind::f32;
        else if constexpr (std::is_same_v<T, double>)
            return Kind::f64;
        else if constexpr (std::is_same_v<T, std::string>)
            return Kind::text;
        else {
            // An enum's names come from `constexpr std::array<std::string_view, N> words(Enum)` beside it.
            static_assert(std::is_enum_v<T> && sizeof(T) == 1,
                          "a field is a number, word, flags, handle or text");
            return Kind::word;
        }
    }
    static constexpr Kind kind = kind_of();
    using Words = T;
};
template <class Enum>
struct FieldTraits<FlagSet<Enum>> {
    static constexpr Kind kind = Kind::flags;
    using Words = Enum;
};

template <class Enum>
inline constexpr auto kWords = words(Enum{});

template <auto Member>
struct Access;
template <class Record, class T, T Record::* Member>
struct Access<Member> {
    static constexpr Kind kind = FieldTraits<T>::kind;
    static void* at(void* record) { return &(static_cast<Record*>(record)->*Member); }
    static std::span<const std::string_view> words() {
        if constexpr (kind == Kind::word || kind == Kind::flags)
            return kWords<typename FieldTraits<T>::Words>;
        else
            return {};
    }
};

template <auto Member>
consteval Field field(std::string_view name, FieldInfo info = {}) {
    return {name, Access<Member>::kind, &Access<Member>::at, &Access<Member>::words, info};
}
template <class... Fields>
consteval auto describe(std::string_view name, std::string_view help, Fields... fields) {
    return Schema<sizeof...(Fields)>{name, help, {fields...}};
}

template <class T>
inline constexpr auto kSchema = T::schema();

// The table of one struct with the types erased.
struct RecordType {
    std::string_view name, help;
    std::size_t size_bytes;
    std::span<const Field> fields;

    // The field of that name, or nullptr. cost: O(fields)
    const Field* find(std::string_view field_name) const;
};

template <class T>
constexpr RecordType record_type() {
    return {kSchema<T>.name, kSchema<T>.help, sizeof(T), kSchema<T>.fields};
}

// --- values ---------------------------------------------------------------------------------------

// A handle as it is on the wire: generation << 32 | index; all ones is "none".
struct Handle {
    std::uint64_t raw = kNone;
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};
    constexpr bool operator==(const Handle&) const = default;
};
struct FlagValue {
    std::uint32_t bits = 0;
    std::span<const std::string_view> words;
};
struct WordValue {
    std::uint8_t number = 0;
    std::span<const std::string_view> words;
    std::string_view text() const { return number < words.size() ? words[number] : std::string_view{}; }
};

// What a field holds, at its real type: a float stays a float, so that its shortest text is a float's.
using FieldValue = std::variant<bool, std::int64_t, std::uint64_t, float, double, WordValue, FlagValue,
                                Handle, std::string_view>;

// The value of one field of the record; a string_view points into the record. cost: O(1)
FieldValue read(const Field& field, const void* record);

// Whether what the record holds there is a value of the field: within its limits, no number that is none, a
// word and flags that there are. cost: O(1)
bool is_valid(const Field& field, const void* record);

// Writes a value of the field's own kind and within its limits, as parse_value returned it.
// requires: the value fits the field (verified)
void write(const Field& field, void* record, const FieldValue& value);

// Reads the text form of one field.
//   integer [+-]digits      float [+-]digits[.digits][e[+-]digits]      boolean true|false
//   word one of words       handle index:generation | none | raw integer
//   flags a,b (the whole set), or +a,-b (edits `current`), or none
// Underflow gives 0. `where` names the field in the error ("position.x").
// errors: BADARG: names where, the text, why, and the accepted form
Result<FieldValue> parse_value(const Field& field, std::string_view where, std::string_view text,
                               std::uint32_t current_flags = 0);

// Sets one field from its text form; the record is untouched unless it succeeds.
Result<> set_field(const RecordType& type, const Field& field, void* record, std::string_view text);

// Sets all fields from "1,2,3" in declaration order. Fields marked optional may be left out at the end. A
// record with one field takes the whole text. The record is untouched unless it succeeds.
// errors: BADARG: wrong count (names the fields), or the field's own error
Result<> set_all(const RecordType& type, void* record, std::string_view text);

// Appends the value's text form: the shortest that reads back to the same value; never locale-dependent.
void append_text(std::string& out, const FieldValue& value);

// "a number from -100 to 100 (m)", "one of idle, chase", "true or false": for errors and HELP.
std::string accepted_form(const Field& field);

// --- finding and comparing ------------------------------------------------------------------------

enum class Comparison : std::uint8_t { less, less_equal, equal, not_equal, greater_equal, greater };

// Whether `left <op> right` holds. Both are of the field's kind; numbers by value, words and flags and
// handles by number. cost: O(1)
bool compare(const FieldValue& left, Comparison op, const FieldValue& right);

// The shortest decimal text of an index:generation handle ("3:1"), or "none", on the stack.
class HandleText {
  public:
    explicit HandleText(Handle handle);
    HandleText(const HandleText&) = delete;
    HandleText& operator=(const HandleText&) = delete;

    std::string_view text() const { return {bytes_.data(), end_}; }

  private:
    std::array<char, 24> bytes_;  // twice 10 digits and the colon
    char* end_;
};

// Appends that text.
void append_handle(std::string& out, Handle handle);

// The inverse: "3:1", "none" or a raw integer; nothing when it is none of them or out of range.
std::optional<Handle> parse_handle(std::string_view text);

}  // namespace evertick::core
