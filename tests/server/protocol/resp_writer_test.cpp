#include "server/protocol/resp_writer.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <limits>

#include "server/protocol/line_text.hpp"
#include "server/protocol/reply_writers.hpp"

namespace evertick::test {
namespace {

using protocol::Encoding;
using protocol::ReplyWriter;
using WriteResp = std::function<void(ReplyWriter&)>;

std::string written(Encoding encoding, const WriteResp& write) {
    std::string out;
    protocol::ReplyWriters writers(out);
    ReplyWriter& reply = writers.get(encoding);
    reply.begin(7, "tag");
    write(reply);
    reply.end();
    return out;
}

std::string resp2(const WriteResp& write) { return written(Encoding::resp2, write); }
std::string resp3(const WriteResp& write) { return written(Encoding::resp3, write); }

constexpr std::array<std::string_view, 3> kStates{"alive", "elite", "boss"};

// ---- golden bytes: value, RESP2, RESP3 ----

struct Golden {
    const char* name;
    WriteResp write;
    std::string resp2, resp3;
};

void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.name; }

class RespGolden : public ::testing::TestWithParam<Golden> {};

TEST_P(RespGolden, IsWrittenAsGiven) {
    EXPECT_EQ(resp2(GetParam().write), GetParam().resp2) << "in RESP2";
    EXPECT_EQ(resp3(GetParam().write), GetParam().resp3) << "in RESP3";
}

Golden same(const char* name, WriteResp write, const std::string& bytes) {
    return {name, std::move(write), bytes, bytes};
}

std::vector<Golden> golden_values() {
    constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
    return {
        same(
            "Ok", [](ReplyWriter& r) { r.ok(); }, "+OK\r\n"),
        same(
            "Status", [](ReplyWriter& r) { r.status("PONG"); }, "+PONG\r\n"),
        same(
            "Text", [](ReplyWriter& r) { r.text("a\r\nb"); }, "$4\r\na\r\nb\r\n"),
        same(
            "EmptyText", [](ReplyWriter& r) { r.text(""); }, "$0\r\n\r\n"),
        {"Verbatim", [](ReplyWriter& r) { r.verbatim("hi\n"); }, "$3\r\nhi\n\r\n", "=7\r\ntxt:hi\n\r\n"},
        same(
            "Integer", [](ReplyWriter& r) { r.integer(-12); }, ":-12\r\n"),
        same(
            "LeastInteger", [](ReplyWriter& r) { r.integer(kLeast); }, ":-9223372036854775808\r\n"),
        {"Float", [](ReplyWriter& r) { r.number(0.1F); }, "$3\r\n0.1\r\n", ",0.1\r\n"},
        {"Double", [](ReplyWriter& r) { r.number(0.1 + 0.2); }, "$19\r\n0.30000000000000004\r\n",
         ",0.30000000000000004\r\n"},
        {"WholeDouble", [](ReplyWriter& r) { r.number(-3.0); }, "$2\r\n-3\r\n", ",-3\r\n"},
        {"LargeFloat", [](ReplyWriter& r) { r.number(1e20F); }, "$5\r\n1e+20\r\n", ",1e+20\r\n"},
        {"True", [](ReplyWriter& r) { r.boolean(true); }, ":1\r\n", "#t\r\n"},
        {"False", [](ReplyWriter& r) { r.boolean(false); }, ":0\r\n", "#f\r\n"},
        {"Null", [](ReplyWriter& r) { r.null(); }, "$-1\r\n", "_\r\n"},
        same(
            "EmptyArray", [](ReplyWriter& r) { r.array(0); }, "*0\r\n"),
        {"EmptyMap", [](ReplyWriter& r) { r.map(0); }, "*0\r\n", "%0\r\n"},
        {"Map", [](ReplyWriter& r) { r.map(2), r.key("a"), r.integer(1), r.key("b"), r.null(); },
         "*4\r\n$1\r\na\r\n:1\r\n$1\r\nb\r\n$-1\r\n", "%2\r\n$1\r\na\r\n:1\r\n$1\r\nb\r\n_\r\n"},
        same(
            "NestedArray", [](ReplyWriter& r) { r.array(2), r.array(1), r.integer(1), r.integer(2); },
            "*2\r\n*1\r\n:1\r\n:2\r\n"),
        {"Push", [](ReplyWriter& r) { r.push(1), r.integer(1); }, "*1\r\n:1\r\n", ">1\r\n:1\r\n"},
    };
}

std::vector<Golden> golden_fields() {
    using core::FieldValue;
    const auto value = [](FieldValue v) { return [v](ReplyWriter& r) { r.value(v); }; };
    return {
        {"BooleanField", value(true), ":1\r\n", "#t\r\n"},
        same("SignedField", value(std::int64_t{-5}), ":-5\r\n"),
        same("UnsignedField", value(std::uint64_t{5}), ":5\r\n"),
        same("GreatestField", value(std::numeric_limits<std::uint64_t>::max()),
             "$20\r\n18446744073709551615\r\n"),
        {"FloatField", value(1.5F), "$3\r\n1.5\r\n", ",1.5\r\n"},
        {"DoubleField", value(2.5), "$3\r\n2.5\r\n", ",2.5\r\n"},
        same("WordField", value(core::WordValue{1, kStates}), "$5\r\nelite\r\n"),
        same("FlagsField", value(core::FlagValue{0b101, kStates}), "$10\r\nalive,boss\r\n"),
        same("NoFlagsField", value(core::FlagValue{0, kStates}), "$4\r\nnone\r\n"),
        same("HandleField", value(core::Handle{(std::uint64_t{9} << 32) | 12}), "$4\r\n12:9\r\n"),
        same("NoHandleField", value(core::Handle{}), "$4\r\nnone\r\n"),
        same("TextField", value(std::string_view("name")), "$4\r\nname\r\n"),
    };
}

INSTANTIATE_TEST_SUITE_P(Values, RespGolden, ::testing::ValuesIn(golden_values()),
                         [](const auto& test) { return std::string(test.param.name); });
INSTANTIATE_TEST_SUITE_P(Fields, RespGolden, ::testing::ValuesIn(golden_fields()),
                         [](const auto& test) { return std::string(test.param.name); });

// ---- errors ----

TEST(RespWriter, LetsAPartFailByItself) {
    const auto write = [](ReplyWriter& r) {
        r.array(3);
        r.begin_part();
        r.integer(1);
        r.end_part();
        r.begin_part();
        r.array(5);
        r.text("taken back");
        r.fail({core::ErrorCode::noent, "gone"});
        r.end_part();
        r.text("on");
    };
    EXPECT_EQ(resp2(write), "*3\r\n:1\r\n-NOENT gone\r\n$2\r\non\r\n");
}

TEST(RespWriter, FailsAsAWholeAfterAPartWasCancelled) {
    const auto write = [](ReplyWriter& r) {
        r.array(2);
        r.begin_part();
        r.array(5);
        r.cancel_part();
        r.fail({core::ErrorCode::oom, "no memory"});
    };
    EXPECT_EQ(resp2(write), "-OOM no memory\r\n");
}

TEST(RespWriter, TakesBackWhatItWroteWhenItFails) {
    std::string out = "+before\r\n";
    protocol::ReplyWriters writers(out);
    ReplyWriter& reply = writers.get(Encoding::resp3);
    reply.begin(7, {});
    reply.map(3);
    reply.key("half");
    reply.fail({core::ErrorCode::noent, "no entity 3:1"});
    reply.end();
    EXPECT_EQ(out, "+before\r\n-NOENT no entity 3:1\r\n");
}

TEST(RespWriter, KeepsAnErrorOnItsLine) {
    EXPECT_EQ(resp2([](ReplyWriter& r) { r.fail({core::ErrorCode::err, "unknown command 'a\r\n+OK\x1b'"}); }),
              "-ERR unknown command 'a\\x0d\\x0a+OK\\x1b'\r\n");
}

TEST(RespWriter, BoundsTheLengthOfAnError) {
    const std::string error =
        resp2([](ReplyWriter& r) { r.fail({core::ErrorCode::err, std::string(10'000, 'x')}); });
    EXPECT_EQ(error.size(), std::string_view("-ERR ...\r\n").size() + protocol::kMaxLineTextBytes);
}

TEST(RespWriter, KeepsAStatusOnItsLine) {
    EXPECT_EQ(resp2([](ReplyWriter& r) { r.status("a\nb"); }), "+a\\x0ab\r\n");
}

// ---- the version ----

TEST(RespWriter, SwitchesItsVersionBeforeTheFirstValue) {
    const auto hello = [](ReplyWriter& r) { r.use_resp(3), r.map(1), r.key("proto"), r.integer(3); };
    EXPECT_EQ(resp2(hello), "%1\r\n$5\r\nproto\r\n:3\r\n");
    const auto back = [](ReplyWriter& r) { r.use_resp(2), r.null(); };
    EXPECT_EQ(resp3(back), "$-1\r\n");
}

// ---- our mistakes ----

TEST(RespWriterDeathTest, StopsAReplyWithTooFewValues) {
    EXPECT_DEATH(resp2([](ReplyWriter&) {}), "fewer values than announced");
    EXPECT_DEATH(resp2([](ReplyWriter& r) { r.array(2), r.integer(1); }), "fewer values than announced");
}

TEST(RespWriterDeathTest, StopsAReplyWithTooManyValues) {
    EXPECT_DEATH(resp2([](ReplyWriter& r) { r.integer(1), r.integer(2); }), "more values than announced");
    EXPECT_DEATH(resp2([](ReplyWriter& r) { r.array(0), r.integer(1); }), "more values than announced");
}

TEST(RespWriterDeathTest, StopsANumberThatIsNotFinite) {
    EXPECT_DEATH(resp2([](ReplyWriter& r) { r.number(std::numeric_limits<double>::quiet_NaN()); }), "finite");
}

}  // namespace
}  // namespace evertick::test
