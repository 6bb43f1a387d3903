#include "config/command_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/config/loading.hpp"

namespace evertick::config {
namespace {

using test::error_of;
using test::loaded;
using ::testing::HasSubstr;

TEST(CommandLine, TakesAValueAsTheNextWordOrAfterAnEqualsSign) {
    EXPECT_EQ(loaded({"--port", "8000"}).settings.port, 8000U);
    EXPECT_EQ(loaded({"--port=8000"}).settings.port, 8000U);
    EXPECT_EQ(loaded({"--log-file=a=b"}).settings.log_file, "a=b");
}

TEST(CommandLine, TakesABooleanWithOrWithoutAValue) {
    EXPECT_TRUE(loaded({"--insecure"}).settings.insecure);
    EXPECT_TRUE(loaded({"--insecure=true"}).settings.insecure);
    EXPECT_FALSE(loaded({"--insecure=false"}, {"EVERTICK_INSECURE=true"}).settings.insecure);
    EXPECT_EQ(error_of({"--insecure="}), "'--insecure=' needs a value, or no =");
    EXPECT_EQ(error_of({"--help="}), "'--help=' needs a value, or no =");
    EXPECT_EQ(error_of({"--insecure=maybe"}), "--insecure: 'maybe' is not a boolean; expected true or false");
    EXPECT_EQ(error_of({"--insecure", "false"}), "stray word 'false'; an option begins with --");
}

TEST(CommandLine, TakesAnEmptyTextButNoOtherEmptyValue) {
    EXPECT_EQ(loaded({"--log-file="}, {"EVERTICK_LOG_FILE=a"}).settings.log_file, "");
    EXPECT_EQ(loaded({"--log-file=", "--port", "1"}).settings.port, 1U);
    EXPECT_EQ(loaded({"--log-file", ""}).settings.log_file, "");
    EXPECT_EQ(error_of({"--port="}), "--port: the value is missing; expected an integer from 0 to 65535");
}

TEST(CommandLine, NamesTheFlagOfABadValue) {
    EXPECT_EQ(error_of({"--port", "-1"}), "--port: '-1' is too small; expected an integer from 0 to 65535");
    EXPECT_EQ(error_of({"--tick-rate=5000"}),
              "--tick-rate: '5000' is too large; expected a number from 1 to 1000 (Hz)");
    EXPECT_EQ(error_of({"--scenario", "demon"}),
              "--scenario: 'demon' is unknown (did you mean 'demo'?); expected one of none, demo, reference");
    EXPECT_EQ(error_of({"--log-file", "a\nb"}),
              R"(--log-file: 'a\x0ab' has control characters or is no UTF-8; expected plain text)");
}

TEST(CommandLine, NamesTheNearestOption) {
    EXPECT_EQ(error_of({"--tick-rat", "30"}), "unknown option '--tick-rat' (did you mean '--tick-rate'?)");
    EXPECT_EQ(error_of({"--tick_rate=30"}), "unknown option '--tick_rate' (did you mean '--tick-rate'?)");
    EXPECT_EQ(error_of({"--chek-config"}), "unknown option '--chek-config' (did you mean '--check-config'?)");
    EXPECT_EQ(error_of({"-port", "1"}), "unknown option '-port' (did you mean '--port'?)");
    EXPECT_EQ(error_of({"--frobnicate"}), "unknown option '--frobnicate'; --help lists what there is");
    EXPECT_EQ(error_of({"-p", "1"}), "unknown option '-p'; --help lists what there is");
}

TEST(CommandLine, RefusesWhatIsMissingDoubleOrStray) {
    EXPECT_EQ(error_of({"--port"}), "'--port' needs a value");
    EXPECT_EQ(error_of({"--config"}), "'--config' needs a value");
    EXPECT_EQ(error_of({"--config="}), "--config needs a value");
    EXPECT_EQ(error_of({"--port", "1", "--port=2"}), "--port is given twice");
    EXPECT_EQ(error_of({"--insecure", "--insecure"}), "--insecure is given twice");
    EXPECT_EQ(error_of({"8000"}), "stray word '8000'; an option begins with --");
    EXPECT_EQ(error_of({""}), "stray word ''; an option begins with --");
    EXPECT_EQ(error_of({"--"}), "unknown option '--'; --help lists what there is");
}

TEST(CommandLine, ChoosesWhatToDo) {
    EXPECT_EQ(loaded({}).mode, Mode::run);
    EXPECT_EQ(loaded({"--version"}).mode, Mode::version);
    EXPECT_EQ(loaded({"--check-config"}).mode, Mode::check_config);
    EXPECT_EQ(loaded({"--port=1", "--print-config"}).mode, Mode::print_config);
    EXPECT_EQ(loaded({"--healthcheck"}).mode, Mode::healthcheck);
    EXPECT_THAT(error_of({"--check-config", "--print-config"}), HasSubstr("choose one of"));
}

TEST(CommandLine, HelpsWhateverElseIsWrong) {
    EXPECT_EQ(loaded({"--port", "x", "--help", "--frobnicate"}, {"EVERTICK_X=1"}).mode, Mode::help);
    EXPECT_EQ(loaded({"--config", "nowhere.toml", "--version"}).mode, Mode::version);
}

}  // namespace
}  // namespace evertick::config
