#pragma once
// How durations stand in a reply.

#include <cmath>
#include <cstdint>
#include <string_view>

#include "server/commands/context.hpp"
#include "server/protocol/reply_writer.hpp"

namespace evertick::commands {

inline void write_integer(protocol::ReplyWriter& reply, std::string_view name, std::uint64_t value) {
    reply.key(name);
    reply.integer(static_cast<std::int64_t>(value));
}

inline void write_number(protocol::ReplyWriter& reply, std::string_view name, double value) {
    reply.key(name);
    reply.number(value);
}

inline constexpr double kMilliseconds = 1e3;  // to a second
inline constexpr double kMicroseconds = 1e6;

// name, and a map of mean, p50, p99 and max in the unit, with three decimals: what a person compares.
inline void write_durations(protocol::ReplyWriter& reply, std::string_view name, const Durations& durations,
                            double units_per_second) {
    const auto rounded = [&](double seconds) {
        return static_cast<double>(std::llround(seconds * units_per_second * 1e3)) / 1e3;
    };
    reply.key(name);
    reply.map(4);
    write_number(reply, "mean", rounded(durations.mean));
    write_number(reply, "p50", rounded(durations.p50));
    write_number(reply, "p99", rounded(durations.p99));
    write_number(reply, "max", rounded(durations.max));
}

}  // namespace evertick::commands
