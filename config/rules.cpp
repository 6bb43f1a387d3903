#include "config/rules.hpp"

#include <array>
#include <string>

#include "core/verify.hpp"

namespace evertick::config {
namespace {

constexpr std::array kRules{
    Rule{"output-soft-limit", "output-hard-limit", "a client is slowed down before it is disconnected"},
    Rule{"max-bulk-bytes", "max-pending-bytes", "the longest word must fit the input that may wait"},
    Rule{"max-inline-bytes", "max-pending-bytes", "the longest line must fit the input that may wait"},
};

const core::Field& setting(std::string_view name) {
    const core::Field* const field = kSettings.find(name);
    core::verify(field != nullptr, "a rule names a setting that does not exist");
    return *field;
}

// "max-bulk-bytes 2048 (evertick.toml:3)"
std::string shown(const core::Field& field, const Settings& settings, std::span<const Origin> origins) {
    std::string out(field.name);
    out += ' ';
    core::append_text(out, core::read(field, &settings));
    return out + " (" + origins[static_cast<std::size_t>(&field - kSettings.fields.data())].place + ")";
}

}  // namespace

std::span<const Rule> rules() { return kRules; }

core::Result<> check_rules(const Settings& settings, std::span<const Origin> origins) {
    for (const Rule& rule : kRules) {
        const core::Field& lesser = setting(rule.lesser);
        const core::Field& greater = setting(rule.greater);
        if (core::compare(core::read(lesser, &settings), core::Comparison::less_equal,
                          core::read(greater, &settings)))
            continue;
        return core::failure(core::ErrorCode::badarg, shown(lesser, settings, origins) + " is more than " +
                                                          shown(greater, settings, origins) + ": " +
                                                          std::string(rule.reason));
    }
    return {};
}

}  // namespace evertick::config
