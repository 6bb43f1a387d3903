#pragma once
// How much memory a part of the registry holds, and how much of it is in use.

#include <cstddef>

namespace evertick::ecs {

struct Bytes {
    std::size_t live = 0;      // what the entities and components there are take
    std::size_t reserved = 0;  // what is held for them: live, spare and bookkeeping

    constexpr Bytes& operator+=(const Bytes& other) {
        live += other.live;
        reserved += other.reserved;
        return *this;
    }
    constexpr bool operator==(const Bytes&) const = default;
};

}  // namespace evertick::ecs
