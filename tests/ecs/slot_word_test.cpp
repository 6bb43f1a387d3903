// That what is put into a word comes out again.

#include "ecs/slot_word.hpp"

#include <gtest/gtest.h>

namespace evertick::ecs {
namespace {

TEST(SlotWord, KeepsStateAndComponentsApart) {
    const SlotWord word = word_of(SlotState::alive, kSlotPayload);
    EXPECT_EQ(state_of(word), SlotState::alive);
    EXPECT_EQ(components_of(word), kSlotPayload) << "all " << kMaxComponentTypes << " types";
    EXPECT_EQ(state_of(word | word_of(SlotState::closed)), SlotState::closed) << "closing sets a bit";
    EXPECT_EQ(components_of(word | word_of(SlotState::closed)), kSlotPayload);
}

TEST(SlotWord, OfAFreeSlotNamesItsNeighbours) {
    const SlotWord word = free_word(kNoSlot, kNoSlot - 1);
    EXPECT_EQ(state_of(word), SlotState::free);
    EXPECT_EQ(next_free(word), kNoSlot);
    EXPECT_EQ(previous_free(word), kNoSlot - 1);
}

TEST(SlotWord, APackedLinkIsTheLinkAgain) {
    for (const std::uint32_t next : {0U, 1U, 255U, 256U, 65'536U, kPackedNone - 1, kNoSlot})
        EXPECT_EQ(unpack_link(pack_link(next)), next);
}

}  // namespace
}  // namespace evertick::ecs
