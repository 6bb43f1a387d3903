// EVENTS, and Redis's names for it: being told what happens without asking.

#include <algorithm>
#include <array>

#include "core/nearest_name.hpp"
#include "core/quote.hpp"
#include "server/commands/arguments.hpp"
#include "server/commands/command.hpp"
#include "server/commands/filter_parser.hpp"
#include "server/commands/region_arguments.hpp"
#include "server/commands/streams.hpp"
#include "server/commands/table.hpp"
#include "server/commands/wildcard.hpp"

namespace evertick::commands {
namespace {

using core::ErrorCode;
using core::failure;
using core::Result;
using world::EventKind;
using Origin = Subscription::Origin;

constexpr std::array kEverywhere{EventKind::spawn, EventKind::destroy, EventKind::death};
constexpr std::size_t kMaxChannelBytes = 64;

constexpr std::uint32_t bit(EventKind kind) { return std::uint32_t{1} << static_cast<unsigned>(kind); }

// ---- EVENTS ----

Result<std::uint32_t> parse_kinds(std::string_view list) {
    constexpr auto kNames = words(EventKind{});
    std::uint32_t kinds = 0;
    const auto done = for_each_item(list, [&](std::string_view item) -> Result<> {
        const auto found = std::ranges::find_if(
            kNames, [&](std::string_view name) { return equal_ignoring_case(name, item); });
        if (found == kNames.end())
            return failure(ErrorCode::badarg, core::quote(item) + " is no event" +
                                                  core::did_you_mean(item, kNames) +
                                                  "; there are spawn, destroy, death, enter, leave");
        kinds |= std::uint32_t{1} << static_cast<unsigned>(found - kNames.begin());
        return {};
    });
    if (!done) return std::unexpected(done.error());
    return kinds;
}

Result<world::Region> parse_region(std::span<const std::string_view> words, core::MemStack& scratch) {
    if (words.empty()) return world::Region{};
    if (!equal_ignoring_case(words[0], "NEAR") && !equal_ignoring_case(words[0], "BOX"))
        return failure(ErrorCode::badarg,
                       "expected NEAR x y z radius or BOX x1 y1 z1 x2 y2 z2, not " + core::quote(words[0]));
    const std::size_t region_words = equal_ignoring_case(words[0], "NEAR") ? 5 : 7;
    const auto filter = parse_filter(words.first(std::min(words.size(), region_words)), scratch);
    if (!filter) return std::unexpected(filter.error());
    if (words.size() > region_words)
        return failure(ErrorCode::badarg, "EVENTS ON takes one NEAR or BOX and nothing else: leave out " +
                                              core::quote(words[region_words]));
    return filter->region;
}

Result<> events_on(Call& call) {
    Subscription subscription{.origin = Origin::events};
    const auto kinds = parse_kinds(call.words[0]);
    if (!kinds) return std::unexpected(kinds.error());
    auto region = parse_region(call.words.subspan(1), call.context.scratch);
    if (!region) return std::unexpected(region.error());
    subscription.kinds = *kinds;
    subscription.region = *region;
    if (subscription.watches() && std::holds_alternative<std::monostate>(*region))
        return failure(ErrorCode::badarg,
                       "enter and leave are of a region: add NEAR x y z radius or BOX ...");
    if (auto added = call.context.streams.add(call.client, std::move(subscription), call.context.scratch);
        !added)
        return added;
    call.reply.ok();
    return {};
}

Result<> events_off(Call& call) {
    call.context.streams.remove(call.client, Origin::events, {});
    call.reply.ok();
    return {};
}

// ---- SUBSCRIBE and its kin: one reply for each name, as Redis ----

std::uint32_t kinds_of(Origin origin, std::string_view name) {
    std::uint32_t kinds = 0;
    for (const EventKind kind : kEverywhere) {
        const std::string_view channel = channel_of(kind);
        if (origin == Origin::pattern ? matches_wildcard(name, channel) : name == channel) kinds |= bit(kind);
    }
    return kinds;
}

Result<> check_channel(Origin origin, std::string_view name) {
    if (name.size() <= kMaxChannelBytes && kinds_of(origin, name) != 0) return {};
    return failure(ErrorCode::badarg, "no channel " + core::quote(name) +
                                          "; there are events:spawn, events:destroy, events:death, and for "
                                          "regions EVENTS ON");
}

void write_state(Call& call, std::string_view word, std::string_view name) {
    call.reply.push(3);
    call.reply.text(word);
    call.reply.text(name);
    call.reply.integer(call.client.subscriptions);
}

// Ends one reply of several.
void next_reply(Call& call) {
    call.reply.end();
    call.reply.begin(call.context.world.tick, call.tag);
}

Result<> subscribe(Call& call, Origin origin, std::string_view word) {
    for (const std::string_view name : call.words)
        if (auto known = check_channel(origin, name); !known) return known;
    if (call.client.subscriptions + call.words.size() > Streams::kMaxSubscriptions)
        return failure(ErrorCode::limit, "at most " + std::to_string(Streams::kMaxSubscriptions) +
                                             " subscriptions of one client");
    for (std::size_t i = 0; i < call.words.size(); ++i) {
        Subscription subscription{.origin = origin, .name = std::string(call.words[i])};
        subscription.kinds = kinds_of(origin, call.words[i]);
        if (auto added = call.context.streams.add(call.client, std::move(subscription), call.context.scratch);
            !added)
            return added;
        if (i > 0) next_reply(call);
        write_state(call, word, call.words[i]);
    }
    return {};
}

Result<> unsubscribe(Call& call, Origin origin, std::string_view word) {
    std::vector<std::string> names(call.words.begin(), call.words.end());
    if (names.empty()) names = call.context.streams.names(call.client, origin);
    if (names.empty()) {
        call.reply.push(3);
        call.reply.text(word);
        call.reply.null();
        call.reply.integer(call.client.subscriptions);
        return {};
    }
    for (const std::string& name : names) {
        call.context.streams.remove(call.client, origin, name);
        if (&name != names.data()) next_reply(call);
        write_state(call, word, name);
    }
    return {};
}

Result<> subscribe_channels(Call& call) { return subscribe(call, Origin::channel, "subscribe"); }
Result<> subscribe_patterns(Call& call) { return subscribe(call, Origin::pattern, "psubscribe"); }
Result<> unsubscribe_channels(Call& call) { return unsubscribe(call, Origin::channel, "unsubscribe"); }
Result<> unsubscribe_patterns(Call& call) { return unsubscribe(call, Origin::pattern, "punsubscribe"); }

// ---- the table ----

constexpr std::array kEventRegion{kNear, kBox};
constexpr std::array kOn{
    Argument{.name = "spawn,destroy,death,enter,leave"},
    Argument{.name = "region", .type = ArgumentType::one_of, .optional = true, .parts = kEventRegion}};
constexpr std::array kChannels{Argument{.name = "channel", .multiple = true}};
constexpr std::array kPatterns{Argument{.name = "pattern", .multiple = true}};
constexpr std::array kAnyChannels{Argument{.name = "channel", .optional = true, .multiple = true}};
constexpr std::array kAnyPatterns{Argument{.name = "pattern", .optional = true, .multiple = true}};

constexpr std::array kEventCommands{
    Command{"EVENTS", "connection", -2, kHere, {}, "Streams events, without being asked again.", nullptr},
    Command{"EVENTS ON", "connection", -3, kHere, kOn,
            "Streams what happens, everywhere or in a region, tick by tick.", &events_on,
            "EVENTS ON spawn,death\nEVENTS ON enter,leave NEAR 0 0 0 50", Queueing::refused},
    Command{"EVENTS OFF",
            "connection",
            2,
            kHere,
            {},
            "Ends the stream of EVENTS ON.",
            &events_off,
            {},
            Queueing::refused},
    Command{"SUBSCRIBE",
            "connection",
            -2,
            kHere,
            kChannels,
            "Streams events:spawn, events:destroy or events:death as Redis messages.",
            &subscribe_channels,
            {},
            Queueing::refused},
    Command{"PSUBSCRIBE",
            "connection",
            -2,
            kHere,
            kPatterns,
            "The same by pattern, such as events:*.",
            &subscribe_patterns,
            {},
            Queueing::refused},
    Command{"UNSUBSCRIBE",
            "connection",
            -1,
            kHere,
            kAnyChannels,
            "Ends SUBSCRIBE, of some channels or all.",
            &unsubscribe_channels,
            {},
            Queueing::refused},
    Command{"PUNSUBSCRIBE",
            "connection",
            -1,
            kHere,
            kAnyPatterns,
            "Ends PSUBSCRIBE, of some patterns or all.",
            &unsubscribe_patterns,
            {},
            Queueing::refused},
};

}  // namespace

std::span<const Command> event_commands() { return kEventCommands; }

}  // namespace evertick::commands
