#include "server/protocol/input_buffer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/random.hpp"

namespace evertick::test {
namespace {

using protocol::InputBuffer;

std::string held(const InputBuffer& buffer) { return {buffer.bytes().begin(), buffer.bytes().end()}; }

void append(InputBuffer& buffer, std::string_view bytes, std::span<std::string_view> views = {}) {
    std::ranges::copy(bytes, buffer.prepare(bytes.size(), views).begin());
    buffer.commit(bytes.size());
}

TEST(InputBuffer, StartsWithoutMemory) {
    const InputBuffer buffer;
    EXPECT_TRUE(buffer.empty());
    EXPECT_EQ(buffer.capacity(), 0U);
}

TEST(InputBuffer, PreparesWhatIsAskedAndAtLeastOneByte) {
    InputBuffer buffer;
    EXPECT_EQ(buffer.prepare(100).size(), 100U);
    EXPECT_EQ(buffer.prepare(0).size(), 1U);
}

TEST(InputBuffer, HoldsWhatWasCommittedUntilItIsConsumed) {
    InputBuffer buffer;
    std::ranges::copy(std::string_view("abcdef"), buffer.prepare(100).begin());
    buffer.commit(6);
    EXPECT_EQ(held(buffer), "abcdef");
    buffer.consume(2);
    EXPECT_EQ(held(buffer), "cdef");
}

TEST(InputBuffer, PutsViewsRightWhenItMoves) {
    InputBuffer buffer;
    append(buffer, "one two");
    std::vector<std::string_view> views{{buffer.bytes().data() + 4, 3}, {buffer.bytes().data() + 7, 0}};
    append(buffer, std::string(100'000, 'x'), views);
    EXPECT_EQ(views[0], "two");
    EXPECT_EQ(views[1].data(), buffer.bytes().data() + 7);
}

TEST(InputBuffer, ReusesTheFrontInsteadOfGrowing) {
    InputBuffer buffer;
    append(buffer, std::string(1000, 'x'));
    const std::size_t capacity = buffer.capacity();
    for (int i = 0; i < 1000; ++i) {
        buffer.consume(1000);
        append(buffer, std::string(1000, 'y'));
    }
    EXPECT_EQ(buffer.capacity(), capacity);
}

TEST(InputBuffer, KeepsASmallBufferAndGivesBackALargeOneWhenIdle) {
    InputBuffer buffer;
    append(buffer, "x");
    buffer.consume(1);
    buffer.release_if_idle();
    EXPECT_GT(buffer.capacity(), 0U);
    append(buffer, std::string(InputBuffer::kIdleBytes + 1, 'x'));
    buffer.release_if_idle();
    EXPECT_GT(buffer.capacity(), InputBuffer::kIdleBytes) << "what it holds is not given back";
    buffer.consume(buffer.size());
    buffer.release_if_idle();
    EXPECT_EQ(buffer.capacity(), 0U);
}

TEST(InputBuffer, ShrinksWhenFarTooLarge) {
    InputBuffer buffer;
    append(buffer, std::string(1'000'000, 'x'));
    append(buffer, "rest");
    buffer.consume(1'000'000);
    append(buffer, "!");
    EXPECT_EQ(held(buffer), "rest!");
    EXPECT_LE(buffer.capacity(), 64U);
}

TEST(InputBufferDeathTest, CommitOfMoreThanWasPreparedStops) {
    InputBuffer buffer;
    buffer.prepare(10);
    EXPECT_DEATH(buffer.commit(11), "more bytes than were prepared");
}

TEST(InputBufferDeathTest, ConsumeOfMoreThanItHoldsStops) {
    InputBuffer buffer;
    append(buffer, "abc");
    EXPECT_DEATH(buffer.consume(4), "more bytes than it holds");
}

// A random walk beside a std::string that holds what the buffer should, with a view on the last byte.
void walk(std::uint64_t seed) {
    core::Random random(seed);
    InputBuffer buffer;
    std::string expected;
    char next = 0;
    for (int step = 0; step < 300; ++step) {
        std::string piece(random.below(random.below(10) == 0 ? 50'000 : 300), '\0');
        for (char& c : piece) c = next++;
        const std::size_t last = buffer.empty() ? 0 : buffer.size() - 1;
        std::vector<std::string_view> views{{buffer.bytes().data() + last, buffer.size() - last}};
        append(buffer, piece, views);
        ASSERT_EQ(views[0], expected.substr(last));
        expected += piece;
        const std::size_t used = random.below(3) == 0 ? expected.size() : random.below(expected.size() + 1);
        buffer.consume(used);
        expected.erase(0, used);
        if (random.below(2) == 0) buffer.release_if_idle();
        ASSERT_EQ(held(buffer), expected);
        buffer.check_invariants();
    }
}

TEST(InputBuffer, HoldsWhatAStringHoldsOnARandomWalk) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        walk(seed);
    }
}

}  // namespace
}  // namespace evertick::test
