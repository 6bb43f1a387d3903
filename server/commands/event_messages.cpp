#include "server/commands/event_messages.hpp"

#include <algorithm>
#include <array>

#include "core/number.hpp"
#include "core/schema.hpp"
#include "server/protocol/reply_writers.hpp"

namespace evertick::commands {
namespace {

void append_list(std::string& out, std::string_view name, std::span<const world::Event> events,
                 ecs::Entity world::Event::* member) {
    out.append(",\"").append(name).append("\":[");
    for (const world::Event& event : events) {
        out += &event == events.data() ? "\"" : ",\"";
        core::append_handle(out, core::Handle{(event.*member).raw});
        out += '"';
    }
    out += ']';
}

}  // namespace

MessageBody message_body(world::EventKind kind, core::Tick tick, std::span<const world::Event> events) {
    MessageBody body{.text = "\"event\":\"", .events = events.size()};
    body.text += words(kind)[static_cast<std::size_t>(kind)];
    body.text += "\",\"tick\":";
    core::append_number(body.text, tick);
    append_list(body.text, "entities", events, &world::Event::entity);
    if (kind == world::EventKind::death) append_list(body.text, "killers", events, &world::Event::killer);
    return body;
}

std::vector<MessageBody> message_bodies(world::EventKind kind, core::Tick tick,
                                        std::span<const world::Event> events) {
    std::vector<MessageBody> bodies;
    for (; !events.empty(); events = events.subspan(bodies.back().events))
        bodies.push_back(
            message_body(kind, tick, events.first(std::min(events.size(), kMaxEntitiesPerMessage))));
    return bodies;
}

std::string message_text(std::string_view body, std::uint64_t lost) {
    std::string text("{");
    text += body;
    if (lost > 0) text.append(",\"lost\":").append(std::to_string(lost));
    return text += '}';
}

std::string_view channel_of(world::EventKind kind) {
    constexpr std::array<std::string_view, world::kEventKinds> kChannels{
        "events:spawn", "events:destroy", "events:death", "events:enter", "events:leave"};
    return kChannels.at(static_cast<std::size_t>(kind));
}

void append_push(std::string& out, protocol::Encoding encoding, std::string_view pattern,
                 std::string_view channel, std::string_view text) {
    if (encoding == protocol::Encoding::json) {
        out.append(text).append("\n");
        return;
    }
    protocol::ReplyWriters writers(out);
    protocol::ReplyWriter& writer = writers.get(encoding);
    writer.begin(0, {});
    writer.push(pattern.empty() ? 3 : 4);
    writer.text(pattern.empty() ? "message" : "pmessage");
    if (!pattern.empty()) writer.text(pattern);
    writer.text(channel);
    writer.text(text);
    writer.end();
}

}  // namespace evertick::commands
