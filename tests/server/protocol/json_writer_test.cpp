#include "server/protocol/json_writer.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <limits>

#include "core/random.hpp"
#include "tests/server/protocol/json_reading.hpp"

namespace evertick::test {
namespace {

using core::FieldValue;
using protocol::JsonWriter;
using WriteJson = std::function<void(JsonWriter&)>;

std::string line(const WriteJson& write, std::string_view tag = {}) {
    std::string out;
    JsonWriter reply(out);
    reply.begin(9001, tag);
    write(reply);
    reply.end();
    return out;
}

// What stands for the result in the line.
std::string result(const WriteJson& write) {
    const std::string all = line(write);
    constexpr std::string_view kBefore = R"({"ok":true,"tick":9001,"result":)";
    EXPECT_TRUE(all.starts_with(kBefore) && all.ends_with("}\n")) << all;
    return all.substr(kBefore.size(), all.size() - kBefore.size() - 2);
}

std::string field(const FieldValue& value) {
    return result([&](JsonWriter& r) { r.value(value); });
}

constexpr std::array<std::string_view, 3> kWords{"alive", "elite", "boss"};

TEST(JsonWriter, WritesEachKindOfValue) {
    EXPECT_EQ(result([](JsonWriter& r) { r.ok(); }), R"("OK")");
    EXPECT_EQ(result([](JsonWriter& r) { r.text("a\n\xff"); }), "\"a\\n\xef\xbf\xbd\"");
    EXPECT_EQ(result([](JsonWriter& r) { r.verbatim("a\r\nb"); }), R"("a\r\nb")");
    EXPECT_EQ(result([](JsonWriter& r) { r.integer(-12); }), "-12");
    EXPECT_EQ(result([](JsonWriter& r) { r.number(0.1F); }), "0.1");
    EXPECT_EQ(result([](JsonWriter& r) { r.number(0.1 + 0.2); }), "0.30000000000000004");
    EXPECT_EQ(result([](JsonWriter& r) { r.number(1e20F); }), "1e+20");
    EXPECT_EQ(result([](JsonWriter& r) { r.boolean(true); }), "true");
    EXPECT_EQ(result([](JsonWriter& r) { r.boolean(false); }), "false");
    EXPECT_EQ(result([](JsonWriter& r) { r.null(); }), "null");
}

TEST(JsonWriter, WritesEachKindOfField) {
    EXPECT_EQ(field(true), "true");
    EXPECT_EQ(field(std::int64_t{-5}), "-5");
    EXPECT_EQ(field(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
    EXPECT_EQ(field(1.5F), "1.5");
    EXPECT_EQ(field(2.5), "2.5");
    EXPECT_EQ(field(core::WordValue{1, kWords}), R"("elite")");
    EXPECT_EQ(field(core::FlagValue{0b101, kWords}), R"(["alive","boss"])");
    EXPECT_EQ(field(core::FlagValue{0, kWords}), "[]");
    EXPECT_EQ(field(core::Handle{(std::uint64_t{9} << 32) | 12}), R"("12:9")");
    EXPECT_EQ(field(core::Handle{}), R"("none")");
    EXPECT_EQ(field(std::string_view("na\"me")), R"("na\"me")");
}

TEST(JsonWriter, WritesArraysAndMaps) {
    EXPECT_EQ(result([](JsonWriter& r) { r.array(0); }), "[]");
    EXPECT_EQ(result([](JsonWriter& r) { r.map(0); }), "{}");
    EXPECT_EQ(result([](JsonWriter& r) { r.array(3), r.integer(1), r.null(), r.text("x"); }),
              R"([1,null,"x"])");
    EXPECT_EQ(result([](JsonWriter& r) { r.map(2), r.key("a"), r.integer(1), r.key("\n"), r.integer(2); }),
              R"({"a":1,"\n":2})");
    EXPECT_EQ(result([](JsonWriter& r) { r.push(1), r.integer(1); }), "[1]");
}

TEST(JsonWriter, NestsAndClosesByCount) {
    EXPECT_EQ(
        result([](JsonWriter& r) { r.array(2), r.array(1), r.map(0), r.array(2), r.integer(1), r.array(0); }),
        "[[{}],[1,[]]]");
    EXPECT_EQ(result([](JsonWriter& r) {
                  r.array(2), r.text("0"), r.array(1), r.array(2), r.value(core::Handle{3}), r.map(1),
                      r.key("position"), r.map(2), r.key("x"), r.number(1.5F), r.key("y"), r.number(2.0F);
              }),
              R"(["0",[["3:0",{"position":{"x":1.5,"y":2}}]]])");
}

TEST(JsonWriter, ClosesNoFlagsAtTheEndOfAMap) {
    EXPECT_EQ(result([](JsonWriter& r) { r.map(1), r.key("mask"), r.value(core::FlagValue{0, kWords}); }),
              R"({"mask":[]})");
}

// ---- the envelope ----

TEST(JsonWriter, EchoesTheTag) {
    EXPECT_EQ(line([](JsonWriter& r) { r.ok(); }, "t\"1"),
              "{\"ok\":true,\"tick\":9001,\"req\":\"t\\\"1\",\"result\":\"OK\"}\n");
}

TEST(JsonWriter, AnswersAnErrorInsteadOfWhatItWrote) {
    const auto fails = [](JsonWriter& r) {
        r.map(1), r.key("x"), r.fail({core::ErrorCode::noent, "no entity 3:1"});
    };
    EXPECT_EQ(line(fails), "{\"ok\":false,\"tick\":9001,\"code\":\"NOENT\",\"error\":\"no entity 3:1\"}\n");
    EXPECT_EQ(line(fails, "a"),
              "{\"ok\":false,\"tick\":9001,\"req\":\"a\",\"code\":\"NOENT\",\"error\":\"no entity 3:1\"}\n");
}

TEST(JsonWriter, LetsAPartFailByItself) {
    const auto write = [](JsonWriter& r) {
        r.array(3);
        r.begin_part();
        r.map(1);
        r.key("x");
        r.integer(1);
        r.end_part();
        r.begin_part();
        r.array(5);
        r.text("taken back");
        r.fail({core::ErrorCode::noent, "it is \"gone\""});
        r.end_part();
        r.text("on");
    };
    EXPECT_EQ(result(write), R"([{"x":1},{"code":"NOENT","error":"it is \"gone\""},"on"])");
}

TEST(JsonWriter, FailsAsAWholeAfterAPartWasCancelled) {
    const std::string reply = line([](JsonWriter& r) {
        r.array(2);
        r.begin_part();
        r.array(5);
        r.cancel_part();
        r.fail({core::ErrorCode::oom, "no memory"});
    });
    EXPECT_EQ(reply, R"({"ok":false,"tick":9001,"code":"OOM","error":"no memory"})"
                     "\n");
}

TEST(JsonWriter, EscapesAnErrorAsRespDoes) {
    EXPECT_EQ(line([](JsonWriter& r) { r.fail({core::ErrorCode::err, "'a\r\n\xff'"}); }),
              "{\"ok\":false,\"tick\":9001,\"code\":\"ERR\",\"error\":\"'a\\\\x0d\\\\x0a\\\\xff'\"}\n");
}

TEST(JsonWriter, LeavesWhatWasInTheOutput) {
    std::string out = "+OK\r\n";
    JsonWriter reply(out);
    for (int i = 0; i < 2; ++i) {
        reply.begin(1, {});
        reply.integer(i);
        reply.end();
    }
    EXPECT_EQ(out, "+OK\r\n{\"ok\":true,\"tick\":1,\"result\":0}\n{\"ok\":true,\"tick\":1,\"result\":1}\n");
}

// ---- always one valid line ----

class RandomReply {
  public:
    explicit RandomReply(std::uint64_t seed) : random_(seed) {}

    std::string bytes() {
        std::string bytes(random_.below(12), '\0');
        for (char& c : bytes) c = static_cast<char>(random_.below(256));
        return bytes;
    }

    void write(JsonWriter& reply, std::size_t depth = 0) {
        switch (random_.below(depth < JsonWriter::kMaxDepth - 1 ? 12 : 9)) {
            case 0: return reply.text(bytes());
            case 1: return reply.integer(static_cast<std::int64_t>(random_.next()));
            case 2: return reply.number(random_.between(-1e30, 1e30));
            case 3: return reply.number(static_cast<float>(random_.unit()));
            case 4: return reply.null();
            case 5: return reply.value(core::FlagValue{static_cast<std::uint32_t>(random_.below(8)), kWords});
            case 6: return reply.value(core::Handle{random_.next()});
            case 7: return reply.value(random_.next());
            case 8: return reply.boolean(true);
            case 9: return write_map(reply, depth);
            default: return write_array(reply, depth);
        }
    }

  private:
    void write_array(JsonWriter& reply, std::size_t depth) {
        const std::size_t count = random_.below(4);
        reply.array(count);
        for (std::size_t i = 0; i < count; ++i) write(reply, depth + 1);
    }
    void write_map(JsonWriter& reply, std::size_t depth) {
        const std::size_t count = random_.below(4);
        reply.map(count);
        for (std::size_t i = 0; i < count; ++i) {
            reply.key(bytes());
            write(reply, depth + 1);
        }
    }

    core::Random random_;
};

TEST(JsonWriter, IsOneValidLineForRandomValues) {
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        RandomReply random(seed);
        const std::string tag = random.bytes();
        const std::string text = line([&](JsonWriter& r) { random.write(r); }, tag);
        ASSERT_EQ(text.find('\n'), text.size() - 1) << text;
        const auto strings = read_json(text);
        ASSERT_TRUE(strings.has_value()) << text;
        const std::vector<std::string> keys{"ok", "tick", tag.empty() ? "result" : "req"};
        ASSERT_EQ(std::vector(strings->begin(), strings->begin() + 3), keys) << text;
    }
}

TEST(JsonWriter, IsOneValidLineForRandomErrors) {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        RandomReply random(seed);
        const std::string text =
            line([&](JsonWriter& r) { r.fail({core::ErrorCode::badarg, random.bytes()}); });
        const auto strings = read_json(text);
        ASSERT_TRUE(strings && strings->size() == 6) << text;
        ASSERT_EQ(strings->at(3), "BADARG");
    }
}

// ---- our mistakes ----

TEST(JsonWriterDeathTest, StopsAReplyWithTooFewValues) {
    EXPECT_DEATH(line([](JsonWriter&) {}), "fewer values than announced");
    EXPECT_DEATH(line([](JsonWriter& r) { r.array(2), r.integer(1); }), "fewer values than announced");
}

TEST(JsonWriterDeathTest, StopsAReplyWithTooManyValues) {
    EXPECT_DEATH(line([](JsonWriter& r) { r.integer(1), r.integer(2); }), "more values than announced");
}

TEST(JsonWriterDeathTest, StopsKeysAndValuesOutOfOrder) {
    EXPECT_DEATH(line([](JsonWriter& r) { r.map(1), r.integer(1); }), "comes after its key");
    EXPECT_DEATH(line([](JsonWriter& r) { r.map(1), r.key("a"), r.key("b"); }),
                 "belongs before a value of a map");
    EXPECT_DEATH(line([](JsonWriter& r) { r.array(1), r.key("a"); }), "belongs before a value of a map");
}

TEST(JsonWriterDeathTest, StopsContainersNestedTooDeep) {
    const auto nest = [](JsonWriter& r) {
        for (std::size_t i = 0; i <= JsonWriter::kMaxDepth; ++i) r.array(1);
    };
    EXPECT_DEATH(line(nest), "nested too deep");
}

}  // namespace
}  // namespace evertick::test
