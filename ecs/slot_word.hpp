#pragma once
// The word of 8 bytes that EntityPool keeps for each slot: what state the slot is in and, by that,
//
//     alive      10 | components of its entity, a bit each
//     closed     11 | the same
//     free       00 | next free slot, 31 bits | previous free slot, 31 bits
//     retired    01 | nothing
//
// Thread safety: values.

#include <array>
#include <cstdint>

#include "ecs/component_id.hpp"

namespace evertick::ecs {

using SlotWord = std::uint64_t;

inline constexpr int kSlotStateShift = 62;
inline constexpr SlotWord kSlotPayload = (SlotWord{1} << kSlotStateShift) - 1;
static_assert(kMaxComponentTypes <= kSlotStateShift);

enum class SlotState : std::uint8_t { free, retired, alive, closed };

constexpr SlotState state_of(SlotWord word) { return static_cast<SlotState>(word >> kSlotStateShift); }
constexpr SlotWord word_of(SlotState state, SlotWord payload = 0) {
    return static_cast<SlotWord>(state) << kSlotStateShift | payload;
}
// requires: alive or closed
constexpr ComponentMask components_of(SlotWord word) { return word & kSlotPayload; }

// In place of a slot: the end of the list.
inline constexpr std::uint32_t kNoSlot = (std::uint32_t{1} << 31) - 1;

constexpr SlotWord free_word(std::uint32_t next, std::uint32_t previous) {
    return SlotWord{next} << 31 | previous;
}
// requires: free
constexpr std::uint32_t next_free(SlotWord word) { return static_cast<std::uint32_t>(word >> 31); }
constexpr std::uint32_t previous_free(SlotWord word) { return static_cast<std::uint32_t>(word) & kNoSlot; }

// What is left of the word of a free slot while its page is packed: the next free slot, in 3 bytes.
using PackedLink = std::array<std::uint8_t, 3>;

// A slot must lie below to be the next one of a packed slot; kNoSlot is this one there.
inline constexpr std::uint32_t kPackedNone = (std::uint32_t{1} << 24) - 1;

// requires: next < kPackedNone, or kNoSlot
constexpr PackedLink pack_link(std::uint32_t next) {
    const auto byte = [next](int shift) { return static_cast<std::uint8_t>(next >> shift); };
    return {byte(0), byte(8), byte(16)};
}
constexpr std::uint32_t unpack_link(PackedLink link) {
    const std::uint32_t next =
        std::uint32_t{link[0]} | std::uint32_t{link[1]} << 8 | std::uint32_t{link[2]} << 16;
    return next == kPackedNone ? kNoSlot : next;
}

}  // namespace evertick::ecs
