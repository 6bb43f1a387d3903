// What a RequestParser holds back, gives back and refuses: the limits and the buffer.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/protocol/request_parser.hpp"
#include "tests/server/protocol/parsing.hpp"

namespace evertick::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::size_t kMiB = std::size_t{1} << 20;

TEST(RequestLimits, TakeAsManyWordsAsAllowedAndNoMore) {
    const RequestLimits limits{.max_arguments = 3};
    EXPECT_THAT(parse(resp({"a", "b", "c"}), limits).requests, SizeIs(1));
    EXPECT_THAT(parse("a b c\n", limits).requests, SizeIs(1));
    EXPECT_THAT(parse("*4\r\n", limits).error, HasSubstr("at most 3 words (max-arguments)"));
    EXPECT_THAT(parse("a b c d\n", limits).error, HasSubstr("at most 3 words (max-arguments)"));
}

TEST(RequestLimits, TakeABulkAsLongAsAllowedAndNoLonger) {
    const RequestLimits limits{.max_bulk_bytes = 4};
    EXPECT_THAT(parse(resp({"PING"}), limits).requests, ElementsAre(Words{"PING"}));
    EXPECT_THAT(parse("*1\r\n$5", limits).error, HasSubstr("over 4 bytes (max-bulk-bytes)"));
}

TEST(RequestLimits, TakeALineAsLongAsAllowedAndNoLonger) {
    const RequestLimits limits{.max_inline_bytes = 4};
    EXPECT_THAT(parse("PING\n", limits).requests, ElementsAre(Words{"PING"}));
    EXPECT_THAT(parse("PINGS\n", limits).error, HasSubstr("over 4 bytes (max-inline-bytes)"));
    EXPECT_EQ(parse("PING", limits).end, Status::incomplete);
    EXPECT_THAT(parse("PINGS", limits).error, HasSubstr("over 4 bytes (max-inline-bytes)"))
        << "without its newline";
}

TEST(RequestLimits, ApplyMaxPendingBytesToALine) {
    const RequestLimits limits{.max_inline_bytes = 8, .max_pending_bytes = 4};
    EXPECT_THAT(parse("PING\n", limits).requests, SizeIs(1));
    EXPECT_THAT(parse("PINGS\n", limits).error, HasSubstr("over 4 bytes (max-pending-bytes)"));
}

TEST(RequestLimits, CountACommentAsALine) {
    const RequestLimits limits{.max_inline_bytes = 4};
    EXPECT_EQ(parse("# comment\n", limits).end, Status::malformed);
}

TEST(RequestLimits, RefuseARequestOverMaxPendingBytesAtTheHeaderThatSaysSo) {
    const RequestLimits limits{.max_pending_bytes = 32};
    const std::string fits = "*2\r\n$4\r\nECHO\r\n$10\r\n";  // 19 bytes, and 12 to come
    EXPECT_EQ(parse(fits, limits).end, Status::incomplete);
    EXPECT_THAT(parse("*2\r\n$4\r\nECHO\r\n$12\r\n", limits).error,
                HasSubstr("over 32 bytes (max-pending-bytes)"));
}

TEST(RequestLimits, ApplyMaxPendingBytesToEachRequestOfAPipeline) {
    const RequestLimits limits{.max_pending_bytes = 32};
    std::string pipeline;
    for (int i = 0; i < 100; ++i) pipeline += resp({"ECHO", "0123456789"});
    EXPECT_THAT(parse(pipeline, limits).requests, SizeIs(100));
}

TEST(RequestLimits, TakeTheGreatestCountByDefault) {
    std::string bytes = "*262144\r\n";
    for (int i = 0; i < 262'144; ++i) bytes += "$1\r\nx\r\n";
    const Found found = parse_in_pieces(bytes, {}, [](auto) { return std::size_t{16'384}; });
    ASSERT_THAT(found.requests, SizeIs(1));
    EXPECT_THAT(found.requests[0], SizeIs(262'144));
    EXPECT_EQ(found.requests[0].back(), "x");
}

// ---- memory ----

TEST(RequestBuffer, ReservesNothingBecauseAHeaderAnnouncedIt) {
    RequestParser parser({});
    feed(parser, "*262144\r\n$1048576\r\nx");
    ASSERT_EQ(parser.next(), Status::incomplete);
    EXPECT_LE(parser.buffer_bytes(), 1024U);
}

TEST(RequestBuffer, IsGivenBackAfterALargeRequest) {
    RequestParser parser({});
    feed(parser, resp({"ECHO", std::string(kMiB, 'x')}));
    ASSERT_EQ(parser.next(), Status::request);
    EXPECT_GT(parser.buffer_bytes(), kMiB);
    ASSERT_EQ(parser.next(), Status::incomplete);
    EXPECT_LE(parser.buffer_bytes(), protocol::InputBuffer::kIdleBytes + 1024);
}

TEST(RequestBuffer, IsGivenBackAfterManyWords) {
    RequestParser parser({});
    feed(parser, resp(Words(100'000, "x")));
    ASSERT_EQ(parser.next(), Status::request);
    EXPECT_GT(parser.buffer_bytes(), 100'000 * sizeof(std::string_view));
    ASSERT_EQ(parser.next(), Status::incomplete);
    EXPECT_LE(parser.buffer_bytes(), protocol::InputBuffer::kIdleBytes + 1024);
}

TEST(RequestBuffer, IsGivenBackAlthoughTheNextRequestHasBegun) {
    RequestParser parser({});
    feed(parser, resp({"ECHO", std::string(kMiB, 'x')}) + "PI");
    ASSERT_EQ(parser.next(), Status::request);
    ASSERT_EQ(parser.next(), Status::incomplete);
    feed(parser, "NG\n");
    EXPECT_LE(parser.buffer_bytes(), 1024U) << "the buffer shrinks with the next read";
    ASSERT_EQ(parser.next(), Status::request);
    EXPECT_EQ(words_of(parser), (Words{"PING"}));
}

TEST(RequestBuffer, HoldsLittleMoreThanTheUnfinishedRequest) {
    const std::string bytes = resp({"ECHO", std::string(kMiB, 'x')});
    RequestParser parser({});
    for (std::size_t at = 0; at < bytes.size(); at += 1000) {
        feed(parser, std::string_view(bytes).substr(at, 1000));
        if (parser.next() == Status::request) break;
        ASSERT_LE(parser.buffer_bytes(), 4 * (parser.pending_bytes() + 1000) + 1024) << "at byte " << at;
    }
    EXPECT_EQ(words_of(parser).at(1).size(), kMiB);
}

TEST(RequestBuffer, StaysSmallOverAnEndlessPipeline) {
    RequestParser parser({});
    const std::string request = resp({"GET", "0:0", "position"});
    std::size_t held = 0;
    for (int i = 0; i < 10'000; ++i) {
        feed(parser, request + request.substr(0, 7));  // there is always a beginning left over
        ASSERT_EQ(parser.next(), Status::request);
        ASSERT_EQ(parser.next(), Status::incomplete);
        feed(parser, request.substr(7));
        ASSERT_EQ(parser.next(), Status::request);
        ASSERT_EQ(parser.next(), Status::incomplete);
        held = std::max(held, parser.buffer_bytes());
    }
    EXPECT_LE(held, 1024U);
}

}  // namespace
}  // namespace evertick::test
