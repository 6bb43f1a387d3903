#include "server/commands/filter_parser.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "server/commands/arguments.hpp"
#include "server/commands/condition.hpp"
#include "server/commands/filter_keywords.hpp"
#include "server/commands/table.hpp"
#include "server/world/components.hpp"

namespace evertick::commands {
namespace {

using core::ErrorCode;
using core::failure;
using core::Result;

constexpr std::size_t kMaxWhereConditions = 64;  // each costs a look at every entity

Result<std::uint32_t> parse_flags(std::string_view list) {
    const world::ComponentType& type = world::component_types()[*world::find_component("flags")];
    const auto value = core::parse_value(type.fields.front(), "FLAGS", list);
    if (!value) return std::unexpected(value.error());
    return std::get<core::FlagValue>(*value).bits;
}

// Reads the words once, left to right; each take_...() consumes what follows its keyword.
class Parser {
  public:
    Parser(std::span<const std::string_view> words, std::size_t max_rows, core::MemStack& stack)
        : words_(words), max_rows_(max_rows), stack_(stack) {}

    Result<QueryOrder> run(KeywordSet allowed) {
        while (!words_.empty())
            if (auto taken = take_clause(allowed); !taken) return std::unexpected(taken.error());
        if (auto fits = check_combination(); !fits) return std::unexpected(fits.error());
        return order_;
    }

  private:
    Result<> take_clause(KeywordSet allowed) {
        const auto keyword = find_keyword(words_.front());
        if (!keyword || (bit(*keyword) & allowed) == 0) return unexpected_word(words_.front(), allowed);
        if ((seen_ & bit(*keyword)) != 0)
            return failure(ErrorCode::badarg, std::string(name_of(*keyword)) + " is given twice");
        seen_ |= bit(*keyword);
        words_ = words_.subspan(1);
        return take_operands(*keyword);
    }

    Result<> take_operands(Keyword keyword) {
        switch (keyword) {
            case Keyword::with: return take_components(keyword, order_.filter.with);
            case Keyword::without: return take_components(keyword, order_.filter.without);
            case Keyword::flags: return take_flags();
            case Keyword::where: return take_conditions();
            case Keyword::near: return take_near();
            case Keyword::box: return take_box();
            case Keyword::nearest: return take_nearest();
            case Keyword::returns: return take_returned();
            case Keyword::count: order_.count_only = true; return {};
            case Keyword::limit: return take_limit();
            case Keyword::cursor: return take_cursor();
        }
        std::unreachable();
    }

    using Words = std::span<const std::string_view>;

    // The next `count` words, which belong to the keyword.
    Result<Words> take(Keyword keyword, std::size_t count, std::string_view form) {
        if (words_.size() < count)
            return failure(ErrorCode::badarg, std::string(name_of(keyword)) + " takes " + std::string(form));
        const auto taken = words_.first(count);
        words_ = words_.subspan(count);
        return taken;
    }

    Result<Words> take_numbers(Keyword keyword, std::size_t count, std::string_view form) {
        const Words next = words_.first(std::min(count, words_.size()));
        if (auto apart = check_apart(name_of(keyword), form, next); !apart)
            return std::unexpected(apart.error());
        return take(keyword, count, form);
    }

    Result<> take_components(Keyword keyword, world::ComponentMask& mask) {
        const auto list = take(keyword, 1, "component names joined by commas, such as position,health");
        if (!list) return std::unexpected(list.error());
        const auto parsed = parse_components(name_of(keyword), list->front());
        if (!parsed) return std::unexpected(parsed.error());
        mask = *parsed;
        return {};
    }

    Result<> take_flags() {
        const auto list = take(Keyword::flags, 1, "flag names joined by commas, such as alive,elite");
        if (!list) return std::unexpected(list.error());
        const auto bits = parse_flags(list->front());
        if (!bits) return std::unexpected(bits.error());
        order_.filter.flags = *bits;
        order_.filter.with |= world::ComponentMask{1} << *world::find_component("flags");
        return {};
    }

    Result<> take_conditions() {
        const auto end =
            std::ranges::find_if(words_, [](auto word) { return find_keyword(word).has_value(); });
        const auto count = static_cast<std::size_t>(end - words_.begin());
        const std::span conditions =
            core::new_array<world::FieldCondition>(stack_, std::min(count, kMaxWhereConditions));
        std::size_t parsed = 0;
        for (const std::string_view word : words_.first(count)) {
            if (parsed == kMaxWhereConditions)
                return failure(ErrorCode::limit,
                               "WHERE takes at most " + std::to_string(kMaxWhereConditions) + " conditions");
            if (equal_ignoring_case(word, "AND")) continue;  // "a=1 AND b=2" reads better to some
            const auto condition = parse_condition(word);
            if (!condition) return std::unexpected(condition.error());
            conditions[parsed++] = *condition;
        }
        if (parsed == 0)
            return failure(ErrorCode::badarg,
                           "WHERE takes conditions such as health.current<20 position.x>=0");
        words_ = words_.subspan(count);
        order_.filter.where = conditions.first(parsed);
        return {};
    }

    Result<> take_near() {
        const auto words = take_numbers(Keyword::near, 4, "x y z radius");
        if (!words) return std::unexpected(words.error());
        const auto centre = parse_point("NEAR", words->first(3));
        if (!centre) return std::unexpected(centre.error());
        const auto radius = parse_decimal("NEAR radius", words->back(), 0, 4.0 * world::kWorldLimit);
        if (!radius) return std::unexpected(radius.error());
        order_.filter.region = world::Near{*centre, static_cast<float>(*radius)};
        return {};
    }

    Result<> take_box() {
        const auto words = take_numbers(Keyword::box, 6, "x1 y1 z1 x2 y2 z2");
        if (!words) return std::unexpected(words.error());
        const auto low = parse_point("BOX corner 1", words->first(3));
        if (!low) return std::unexpected(low.error());
        const auto high = parse_point("BOX corner 2", words->last(3));
        if (!high) return std::unexpected(high.error());
        order_.filter.region = world::Box{*low, *high};
        return {};
    }

    Result<> take_nearest() {
        const auto words = take_numbers(Keyword::nearest, 4, "x y z k");
        if (!words) return std::unexpected(words.error());
        const auto centre = parse_point("NEAREST", words->first(3));
        if (!centre) return std::unexpected(centre.error());
        const auto count =
            parse_whole("NEAREST k", words->back(), 1, std::numeric_limits<std::uint32_t>::max());
        if (!count) return std::unexpected(parse_whole("NEAREST k", words->back(), 1, max_rows_).error());
        if (*count > max_rows_) return too_many_rows("NEAREST k", *count, "ask for fewer");
        order_.filter.region = world::Nearest{*centre, static_cast<std::uint32_t>(*count)};
        return {};
    }

    Result<> take_returned() {
        const auto list = take(Keyword::returns, 1,
                               "components or fields joined by commas, such as position,health.current");
        if (!list) return std::unexpected(list.error());
        if (equal_ignoring_case(list->front(), "COUNT"))
            return failure(ErrorCode::badarg, "RETURN names components; for the number write COUNT alone");
        return for_each_item(list->front(), [&](std::string_view path) { return order_.returned.add(path); });
    }

    Result<> take_limit() {
        const auto words = take(Keyword::limit, 1, "the greatest number of rows");
        if (!words) return std::unexpected(words.error());
        const auto limit = parse_whole("LIMIT", words->front(), 1, std::uint64_t{1} << 53);
        if (!limit) return std::unexpected(parse_whole("LIMIT", words->front(), 1, max_rows_).error());
        if (*limit > max_rows_) return too_many_rows("LIMIT", *limit, "page through them with CURSOR");
        order_.limit = *limit;
        return {};
    }

    Result<> take_cursor() {
        const auto words = take(Keyword::cursor, 1, "0, or the cursor of the reply before");
        if (!words) return std::unexpected(words.error());
        const auto cursor = parse_whole("CURSOR", words->front(), 0, std::uint64_t{1} << 53);
        if (!cursor) return std::unexpected(cursor.error());
        order_.cursor = *cursor;
        return {};
    }

    Result<> too_many_rows(std::string_view what, std::uint64_t wanted, std::string_view remedy) const {
        return failure(ErrorCode::limit, std::string(what) + " " + std::to_string(wanted) +
                                             " is over max-query-rows " + std::to_string(max_rows_) + ": " +
                                             std::string(remedy));
    }

    bool seen(KeywordSet keywords) const { return (seen_ & keywords) != 0; }

    Result<> check_combination() {
        const KeywordSet regions = seen_ & kRegions;
        if ((regions & (regions - 1)) != 0)
            return failure(ErrorCode::badarg, "NEAR, BOX and NEAREST exclude each other: give one of them");
        if (seen(bit(Keyword::count)) && seen(kPaging))
            return failure(ErrorCode::badarg, "COUNT answers a number: leave out RETURN, LIMIT and CURSOR");
        if (seen(bit(Keyword::cursor)) && order_.filter.ordered_by_distance())
            return failure(ErrorCode::badarg, "CURSOR goes by index and cannot be used with NEAR or NEAREST");
        if (seen(bit(Keyword::limit)) && seen(bit(Keyword::nearest)))
            return failure(ErrorCode::badarg, "NEAREST has its own limit k: leave out LIMIT");
        if (!seen(bit(Keyword::limit))) order_.limit = std::min(kDefaultQueryLimit, max_rows_);
        if (const auto* nearest = std::get_if<world::Nearest>(&order_.filter.region))
            order_.limit = nearest->count;
        return {};
    }

    std::span<const std::string_view> words_;
    std::size_t max_rows_;
    core::MemStack& stack_;
    QueryOrder order_;
    KeywordSet seen_ = 0;
};

constexpr std::size_t kNoRowLimit = std::numeric_limits<std::uint32_t>::max();

Result<world::Filter> filter_of(Result<QueryOrder> order) {
    if (!order) return std::unexpected(std::move(order.error()));
    return order->filter;
}

}  // namespace

core::Result<QueryOrder> parse_query(std::span<const std::string_view> words, std::size_t max_rows,
                                     core::MemStack& stack) {
    return Parser(words, max_rows, stack).run(kAllKeywords);
}

core::Result<world::Filter> parse_filter(std::span<const std::string_view> words, core::MemStack& stack) {
    return filter_of(Parser(words, kNoRowLimit, stack).run(kConditionKeywords));
}

core::Result<world::Filter> parse_destroy_filter(std::span<const std::string_view> words,
                                                 core::MemStack& stack) {
    return filter_of(
        Parser(words, kNoRowLimit, stack).run(kConditionKeywords & ~unsigned{bit(Keyword::nearest)}));
}

bool starts_filter(std::string_view word) {
    const auto keyword = find_keyword(word);
    return keyword && (bit(*keyword) & kConditionKeywords) != 0;
}

}  // namespace evertick::commands
