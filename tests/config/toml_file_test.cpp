#include "config/toml_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/plain_text.hpp"
#include "config/print.hpp"
#include "core/random.hpp"
#include "tests/config/loading.hpp"

namespace evertick::config {
namespace {

using test::loaded;
using test::TemporaryFile;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Settings settings_of(std::string_view text) {
    const TemporaryFile file(text);
    return loaded({"--config", file.path()}).settings;
}

// The error about a file of that text, with its path as "f".
std::string error_of(std::string_view text) {
    const TemporaryFile file(text);
    std::string message = test::error_of({"--config", file.path()});
    if (message.starts_with(file.path())) message.replace(0, file.path().size(), "f");
    return message;
}

TEST(TomlFile, SetsSettingsOfEveryKind) {
    const Settings settings = settings_of(
        "# a comment\n"
        "bind = \"::1\"\r\n"
        "port = 8_000\n"
        "insecure = true\n"
        "tick-rate = 59.94\n"
        "overrun = \"slow\"\n"
        "\"max-clients\" = 0x10\n"
        "log-file = 'logs/\xc3\xa9.log'");
    EXPECT_EQ(settings.bind, "::1");
    EXPECT_EQ(settings.port, 8000U);
    EXPECT_TRUE(settings.insecure);
    EXPECT_EQ(settings.tick_rate_hz, 59.94);
    EXPECT_EQ(settings.overrun, Overrun::slow);
    EXPECT_EQ(settings.max_clients, 16U);
    EXPECT_EQ(settings.log_file, "logs/\xc3\xa9.log");
}

TEST(TomlFile, TakesAnIntegerForANumberWithAFraction) {
    EXPECT_EQ(settings_of("tick-rate = 60").tick_rate_hz, 60);
}

TEST(TomlFile, TakesAStringForAnIntegerThatTomlCannotHold) {
    EXPECT_EQ(settings_of("seed = \"18446744073709551615\"").seed, 18446744073709551615U);
    EXPECT_EQ(settings_of("seed = 9223372036854775807").seed, 9223372036854775807U);
    EXPECT_EQ(error_of("seed = \"9223372036854775807\""),
              "f:1: seed is a string; expected an integer from 0 to 18446744073709551615");
}

TEST(TomlFile, TakesAnEmptyFile) {
    EXPECT_EQ(error_of(""), "accepted");
    EXPECT_EQ(error_of("# nothing\n\n"), "accepted");
}

TEST(TomlFile, NamesLineAndNearestKeyOfAnUnknownOne) {
    EXPECT_EQ(error_of("\n\ntick-rat = 30\n"), "f:3: unknown setting 'tick-rat' (did you mean 'tick-rate'?)");
    EXPECT_EQ(error_of("tick_rate = 30"), "f:1: unknown setting 'tick_rate' (did you mean 'tick-rate'?)");
    EXPECT_EQ(error_of("PORT = 1"), "f:1: unknown setting 'PORT' (did you mean 'port'?)");
    EXPECT_EQ(error_of("frobnicate = 1"), "f:1: unknown setting 'frobnicate'; --help lists what there is");
    EXPECT_EQ(error_of("\"a\\nb\" = 1"), R"(f:1: unknown setting 'a\x0ab'; --help lists what there is)");
}

TEST(TomlFile, NamesLineAndKeyOfAWrongType) {
    EXPECT_EQ(error_of("tick-rate = \"30\""),
              "f:1: tick-rate is a string; expected a number from 1 to 1000 (Hz)");
    EXPECT_EQ(error_of("\nport = 1.5"),
              "f:2: port is a number with a fraction; expected an integer from 0 to 65535");
    EXPECT_EQ(error_of("insecure = 1"), "f:1: insecure is an integer; expected true or false");
    EXPECT_EQ(error_of("bind = true"), "f:1: bind is a boolean; expected text");
    EXPECT_EQ(error_of("bind = [\"::1\"]"), "f:1: bind is a list; expected text");
    EXPECT_EQ(error_of("bind = {a = 1}"), "f:1: bind is a section; expected text");
    EXPECT_EQ(error_of("port = 2024-06-07"), "f:1: port is a date; expected an integer from 0 to 65535");
}

TEST(TomlFile, NamesLineAndKeyOfABadValue) {
    EXPECT_EQ(error_of("port = 99999"),
              "f:1: port: '99999' is too large; expected an integer from 0 to 65535");
    EXPECT_EQ(error_of("port = -1"), "f:1: port: '-1' is too small; expected an integer from 0 to 65535");
    EXPECT_EQ(error_of("tick-rate = nan"),
              "f:1: tick-rate: 'nan' is not a number such as -0.5; expected a number from 1 to 1000 (Hz)");
    EXPECT_EQ(error_of("tick-rate = -inf"),
              "f:1: tick-rate: '-inf' is not a number such as -0.5; expected a number from 1 to 1000 (Hz)");
    EXPECT_EQ(
        error_of("scenario = \"dem\""),
        "f:1: scenario: 'dem' is unknown (did you mean 'demo'?); expected one of none, demo, reference");
    EXPECT_EQ(error_of("log-file = \"a\\u0000b\""),
              R"(f:1: log-file: 'a\x00b' has control characters or is no UTF-8; expected plain text)");
}

TEST(TomlFile, JudgesAValueThatIsReplacedLater) {
    const TemporaryFile file("port = 99999");
    EXPECT_THAT(test::error_of({"--config", file.path(), "--port", "1"}, {"EVERTICK_PORT=2"}),
                HasSubstr("'99999' is too large"));
}

TEST(TomlFile, ShowsTheLineThatIsNotToml) {
    EXPECT_THAT(error_of("port = 1\nscenario = demo\n"),
                StartsWith("f:2: 'scenario = demo' is not valid TOML: "));
    EXPECT_THAT(error_of("bind = 127.0.0.1"), StartsWith("f:1: 'bind = 127.0.0.1' is not valid TOML: "));
    EXPECT_THAT(error_of("port : 1"), StartsWith("f:1: 'port : 1' is not valid TOML: expected '='"));
    EXPECT_THAT(error_of("port ="), StartsWith("f:1: 'port =' is not valid TOML: "));
    EXPECT_THAT(error_of("bind = \"a"), StartsWith("f:1: "));
    EXPECT_THAT(error_of("\xff\xfe"), StartsWith(R"(f:1: '\xff\xfe' is not valid TOML: )"));
}

TEST(TomlFile, SurvivesWhatTheLibraryDoesNot) {
    EXPECT_THAT(error_of("[ = 1"), StartsWith("f:1: '[ = 1' is not valid TOML: "));
    EXPECT_THAT(
        error_of("port = 1\nscenario = d\xc3\xa9mo"),
        StartsWith(
            R"(f:2: 'scenario = d\xc3\xa9mo' is not valid TOML: a letter beyond ASCII outside quotes)"));
}

TEST(TomlFile, RefusesAKeyThatIsThereTwice) {
    EXPECT_THAT(error_of("port = 1\n\nport = 2"),
                StartsWith("f:3: 'port = 2' is not valid TOML: cannot redefine existing integer 'port'"));
}

TEST(TomlFile, RefusesSections) {
    EXPECT_THAT(error_of("port = 1\n[server]\nbind = \"::1\""),
                StartsWith("f:2: there are no sections, but 'server' is one"));
    EXPECT_THAT(error_of("server.port = 1"), StartsWith("f:1: there are no sections, but 'server' is one"));
    EXPECT_EQ(error_of("[port]\nx = 1"), "f:1: port is a section; expected an integer from 0 to 65535");
}

TEST(TomlFile, TellsTheFirstFaultOfSeveral) {
    EXPECT_THAT(error_of("zebra = 1\naardvark = 2"), StartsWith("f:1: unknown setting 'zebra'"));
}

TEST(TomlFile, AnswersAnyTextWithSettingsOrOneLine) {
    constexpr std::uint64_t kSeed = 7777;
    SCOPED_TRACE("seed " + std::to_string(kSeed));
    core::Random random(kSeed);
    constexpr std::string_view kAlphabet = "\n\r\t \"'\\[]{}=.,#-+_:0159eTZtrue\x01\x7f\x80\xff";
    const std::string example = example_file();
    for (int round = 0; round < 3000; ++round) {
        const std::uint64_t start = random.below(example.size()), length = random.below(400);
        std::string text = example.substr(start, length);
        for (std::uint64_t edits = random.below(4); edits > 0 && !text.empty(); --edits) {
            char& edited = text[random.below(text.size())];
            edited = kAlphabet[random.below(kAlphabet.size())];
        }
        const auto result = parse_toml(text, "f");
        if (result) continue;
        EXPECT_TRUE(is_plain_text(result.error().message)) << result.error().message;
        EXPECT_THAT(result.error().message, StartsWith("f:"));
    }
}

TEST(TomlFile, SaysWhyAFileCannotBeRead) {
    EXPECT_EQ(test::error_of({"--config", "/nowhere/evertick.toml"}),
              "/nowhere/evertick.toml: cannot be read: No such file or directory");
    EXPECT_EQ(test::error_of({"--config", "/"}), "/: cannot be read: Is a directory");
    EXPECT_EQ(error_of(std::string(kMaxFileBytes + 1, '#')), "f: is longer than 1048576 bytes");
    EXPECT_EQ(error_of(std::string(kMaxFileBytes, '#')), "accepted");
}

}  // namespace
}  // namespace evertick::config
