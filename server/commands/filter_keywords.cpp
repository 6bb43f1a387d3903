#include "server/commands/filter_keywords.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "core/array.hpp"
#include "core/inline_allocator.hpp"
#include "core/nearest_name.hpp"
#include "core/quote.hpp"
#include "server/commands/table.hpp"
#include "server/world/component_type.hpp"

namespace evertick::commands {
namespace {

constexpr std::array<std::string_view, 11> kKeywordNames{
    "WITH", "WITHOUT", "FLAGS", "WHERE", "NEAR", "BOX", "NEAREST", "RETURN", "COUNT", "LIMIT", "CURSOR"};

std::string hint(std::string_view word, std::span<const std::string_view> allowed_names) {
    if (word.find_first_of("<>=") != std::string_view::npos) return "; a condition comes after WHERE";
    if (find_keyword(word)) return ", which does not apply here";
    if (world::find_component(word.substr(0, word.find('.'))))
        return "; lists are joined by commas: position,health";
    return core::did_you_mean(word, allowed_names);
}

}  // namespace

std::string_view name_of(Keyword keyword) { return kKeywordNames[std::to_underlying(keyword)]; }

std::optional<Keyword> find_keyword(std::string_view word) {
    const auto found =
        std::ranges::find_if(kKeywordNames, [&](auto name) { return equal_ignoring_case(name, word); });
    if (found == kKeywordNames.end()) return std::nullopt;
    return static_cast<Keyword>(found - kKeywordNames.begin());
}

std::unexpected<core::Error> unexpected_word(std::string_view word, KeywordSet allowed) {
    core::Array<std::string_view, core::InlineAllocator<kKeywordNames.size()>> names;
    std::string list;
    for (std::size_t i = 0; i < kKeywordNames.size(); ++i) {
        if ((allowed >> i & 1U) == 0) continue;
        names.push_back(kKeywordNames[i]);
        list += (list.empty() ? "" : ", ") + std::string(kKeywordNames[i]);
    }
    return core::failure(core::ErrorCode::badarg,
                         "unexpected " + core::quote(word) + hint(word, names) + "; expected one of " + list);
}

}  // namespace evertick::commands
