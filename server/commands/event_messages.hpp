#pragma once
// Events as text. A message is one JSON object on one line, the same in every encoding:
//
//     {"event":"death","tick":9001,"entities":["4:0","7:2"],"killers":["1:0","none"]}
//
// A JSON connection gets it as a line; in RESP it is the payload of "message events:death <payload>".

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.hpp"
#include "server/protocol/reply_writer.hpp"
#include "server/world/event_log.hpp"

namespace evertick::commands {

inline constexpr std::size_t kMaxEntitiesPerMessage = 1024;

// A message without its braces, so that what one client lost can be added.
struct MessageBody {
    std::string text;
    std::size_t events = 0;
};

// requires: at most kMaxEntitiesPerMessage events
MessageBody message_body(world::EventKind kind, core::Tick tick, std::span<const world::Event> events);
// All of one kind, as many messages as it takes. Empty when there are none.
std::vector<MessageBody> message_bodies(world::EventKind kind, core::Tick tick,
                                        std::span<const world::Event> events);

// `lost` events of this kind were left out since the message before; 0: none.
std::string message_text(std::string_view body, std::uint64_t lost);

// "events:spawn"
std::string_view channel_of(world::EventKind kind);

// Appends one push as the client's encoding has it; pattern: of PSUBSCRIBE, else empty.
void append_push(std::string& out, protocol::Encoding encoding, std::string_view pattern,
                 std::string_view channel, std::string_view text);

}  // namespace evertick::commands
