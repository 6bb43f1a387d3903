// What a RequestParser finds depends on the bytes, not on how they arrive.

#include <gtest/gtest.h>

#include <array>

#include "core/random.hpp"
#include "server/protocol/request_parser.hpp"
#include "tests/server/protocol/parsing.hpp"

namespace evertick::test {
namespace {

using namespace std::string_view_literals;

constexpr std::uint64_t kSeeds = 100;

// ---- a generator of requests and of ways to write them ----

class Generator {
  public:
    explicit Generator(std::uint64_t seed) : random_(seed) {}

    std::size_t below(std::size_t bound) { return random_.below(bound); }
    bool one_in(std::size_t n) { return below(n) == 0; }

    Words words() {
        Words words(1 + below(one_in(20) ? 300 : 6));
        for (std::string& word : words) word = this->word();
        return words;
    }

    std::string written(const Words& words) {
        if (one_in(3)) return line(words);
        return resp(words);
    }

    // What is skipped between requests.
    std::string noise() {
        constexpr std::array<std::string_view, 6> kNoise{"\n",     "\r\n",   "  \t\n", "# \"comment\r\n",
                                                         "*0\r\n", "*-1\r\n"};
        return one_in(4) ? std::string(kNoise[below(kNoise.size())]) : std::string();
    }

  private:
    std::string word() {
        std::string word(below(one_in(30) ? 5000 : 12), 'x');
        const bool binary = one_in(3);
        for (char& c : word) c = static_cast<char>(binary ? below(256) : 'a' + below(26));
        return word;
    }

    std::string line(const Words& words) {
        std::string line;
        for (const std::string& word : words) {
            line.append(below(3), ' ');
            line += quoted(word);
            line += one_in(5) ? "\t" : " ";
        }
        return line + (one_in(2) ? "\n" : "\r\n");
    }

    std::string quoted(const std::string& word) {
        const bool plain =
            !word.empty() && std::ranges::all_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
        if (plain && !one_in(4)) return word;
        const bool printable =
            std::ranges::all_of(word, [](char c) { return c >= ' ' && c <= '~' && c != '\\'; });
        return printable && one_in(2) ? single_quoted(word) : double_quoted(word);
    }

    static std::string single_quoted(const std::string& word) {
        std::string out = "'";
        for (const char c : word) out += c == '\'' ? std::string("\\'") : std::string(1, c);
        return out + "'";
    }

    std::string double_quoted(const std::string& word) {
        constexpr std::string_view kHex = "0123456789abcdefABCDEF";
        std::string out = "\"";
        for (const char c : word) {
            const auto byte = static_cast<unsigned char>(c);
            const std::size_t upper_case = one_in(2) ? 6 : 0;
            const auto digit = [&](unsigned value) { return kHex[value < 10 ? value : value + upper_case]; };
            if (c == '\n' && one_in(2))
                out += "\\n";
            else if (c == '"' || (c == '\\' && one_in(2)))
                out += {'\\', c};
            else if (c == '\0' || c == '\n' || c == '\\' || one_in(10))
                out += {'\\', 'x', digit(byte >> 4), digit(byte & 15)};
            else
                out += c;
        }
        return out + "\"";
    }

    core::Random random_;
};

struct Stream {
    std::vector<Words> requests;
    std::string bytes;
};

Stream generate(Generator& generator) {
    Stream stream;
    for (std::size_t i = generator.below(20); i > 0; --i) {
        stream.requests.push_back(generator.words());
        stream.bytes += generator.noise() + generator.written(stream.requests.back());
    }
    return stream;
}

TEST(RequestSplits, EveryGeneratedRequestIsFoundAsItWasMeant) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Generator generator(seed);
        const Stream stream = generate(generator);
        ASSERT_EQ(parse(stream.bytes), (Found{.requests = stream.requests, .error = {}}));
    }
}

TEST(RequestSplits, RandomCutsFindTheSame) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Generator generator(seed);
        const Stream stream = generate(generator);
        const std::size_t longest = 1 + generator.below(generator.one_in(2) ? 8 : 2000);
        const auto cut = [&](std::string_view) { return 1 + generator.below(longest); };
        ASSERT_EQ(parse_in_pieces(stream.bytes, {}, cut), (Found{.requests = stream.requests, .error = {}}));
    }
}

TEST(RequestSplits, SingleBytesFindTheSame) {
    for (std::uint64_t seed = 0; seed < kSeeds / 10; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Generator generator(seed);
        const Stream stream = generate(generator);
        const auto one = [](std::string_view) { return std::size_t{1}; };
        ASSERT_EQ(parse_in_pieces(stream.bytes, {}, one), (Found{.requests = stream.requests, .error = {}}));
    }
}

// Valid streams with some bytes changed, lost or doubled: mostly wrong, in every way there is.
TEST(RequestSplits, DamagedStreamsFailTheSameHoweverTheyAreCut) {
    constexpr auto kMarks = "\r\n*$-0123456789 \"'\\#x\x16\0"sv;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Generator generator(seed);
        std::string bytes = generate(generator).bytes;
        for (std::size_t i = bytes.empty() ? 0 : 1 + generator.below(4); i > 0 && !bytes.empty(); --i) {
            const std::size_t at = generator.below(bytes.size());
            if (generator.one_in(3))
                bytes.erase(at, 1);
            else if (generator.one_in(2))
                bytes.insert(at, 1, kMarks[generator.below(kMarks.size())]);
            else
                bytes[at] = kMarks[generator.below(kMarks.size())];
        }
        const auto cut = [&](std::string_view) { return 1 + generator.below(9); };
        const Found whole = parse(bytes);
        ASSERT_EQ(parse_in_pieces(bytes, {}, cut), whole);
    }
}

// Were a line, a word or an array read again from its start with every byte, these would take minutes.

Words take_in_single_bytes(std::string_view bytes, const RequestLimits& limits) {
    RequestParser parser(limits);
    for (const char c : bytes) {
        feed(parser, {&c, 1});
        if (parser.next() == Status::request) return words_of(parser);
    }
    return {};
}

TEST(RequestSplits, SingleBytesOfALongWordCostLinearTime) {
    const Words words{"ECHO", std::string(1'000'000, 'x')};
    EXPECT_EQ(take_in_single_bytes(resp(words), {}), words);
}

TEST(RequestSplits, SingleBytesOfManyWordsCostLinearTime) {
    const Words words(100'000, "x");
    EXPECT_EQ(take_in_single_bytes(resp(words), {}), words);
}

TEST(RequestSplits, SingleBytesOfALongLineCostLinearTime) {
    const Words words{"ECHO", std::string(1'000'000, 'x')};
    EXPECT_EQ(take_in_single_bytes("ECHO " + words[1] + "\n", {.max_inline_bytes = 2'000'000}), words);
}

}  // namespace
}  // namespace evertick::test
