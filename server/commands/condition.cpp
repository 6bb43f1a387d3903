#include "server/commands/condition.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/quote.hpp"
#include "server/commands/arguments.hpp"

namespace evertick::commands {
namespace {

using core::Comparison;
using core::ErrorCode;
using core::failure;

struct Operator {
    std::string_view text;
    Comparison meaning;
};
constexpr std::array kOperators{
    Operator{"<=", Comparison::less_equal}, Operator{">=", Comparison::greater_equal},
    Operator{"!=", Comparison::not_equal},  Operator{"<", Comparison::less},
    Operator{">", Comparison::greater},     Operator{"=", Comparison::equal}};

bool is_number(core::Kind kind) {
    using enum core::Kind;
    return kind == i32 || kind == u32 || kind == i64 || kind == u64 || kind == f32 || kind == f64;
}

// A condition may compare with a number that the field itself could not hold.
core::Field without_limits(core::Field field) {
    field.info.min = std::numeric_limits<double>::lowest();
    field.info.max = std::numeric_limits<double>::max();
    return field;
}

}  // namespace

core::Result<world::FieldCondition> parse_condition(std::string_view word) {
    const std::size_t at = word.find_first_of("<>=!");
    const auto rest = at == std::string_view::npos ? std::string_view{} : word.substr(at);
    const auto op =
        std::ranges::find_if(kOperators, [&](const Operator& o) { return rest.starts_with(o.text); });
    if (op == kOperators.end())
        return failure(ErrorCode::badarg,
                       "WHERE: " + core::quote(word) +
                           " is no condition; expected component.field<op>value with one of "
                           "< <= = != >= > and no spaces");
    if (rest.starts_with("=="))
        return failure(ErrorCode::badarg, "WHERE: " + core::quote(word) + " has == where = is meant");
    const auto path = parse_path(word.substr(0, at));
    if (!path) return failure(path.error().code, "WHERE: " + path.error().message);
    if (path->field == nullptr)
        return failure(ErrorCode::badarg,
                       "WHERE: " + core::quote(word) + " names a component; expected component.field");
    if (!is_number(path->field->kind) && op->meaning != Comparison::equal &&
        op->meaning != Comparison::not_equal)
        return failure(ErrorCode::badarg,
                       "WHERE: " + std::string(word.substr(0, at)) + " is not a number; only = and != apply");
    const auto value =
        core::parse_value(without_limits(*path->field), word.substr(0, at), rest.substr(op->text.size()));
    if (!value) return failure(value.error().code, "WHERE: " + value.error().message);
    return world::FieldCondition{path->component, path->field, op->meaning, *value};
}

}  // namespace evertick::commands
