#include "config/print.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "config/reload.hpp"
#include "tests/config/loading.hpp"

namespace evertick::config {
namespace {

using test::loaded;
using test::TemporaryFile;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Loaded read_back(const Loaded& printed) {
    const TemporaryFile file(print_config(printed));
    return loaded({"--config", file.path()});
}

TEST(PrintConfig, ReadsBackToTheSameSettings) {
    const Loaded original = loaded({"--bind", "::1", "--seed=18446744073709551615", "--tick-rate=59.94",
                                    "--scenario=demo", "--insecure", "--log-file=a \"b\" \\ \xc3\xa9.log",
                                    "--shutdown-grace-seconds=1e-3", "--max-entities=4000000000"});
    const Loaded copy = read_back(original);
    const Changes found = changes(original.settings, copy.settings);
    EXPECT_THAT(found.reloadable, IsEmpty());
    EXPECT_THAT(found.needs_restart, IsEmpty());
    for (const Origin& origin : copy.origins) EXPECT_EQ(origin.source, Source::file);
}

TEST(PrintConfig, TellsWhereEachValueComesFrom) {
    const TemporaryFile file("\n\ntick-rate = 60");
    const std::string text =
        print_config(loaded({"--config", file.path(), "--log-level", "debug"}, {"EVERTICK_PORT=8000"}));
    EXPECT_THAT(text, HasSubstr("bind = \"127.0.0.1\"                # default\n"));
    EXPECT_THAT(text, HasSubstr("port = 8000                       # environment EVERTICK_PORT\n"));
    EXPECT_THAT(text, HasSubstr("tick-rate = 60                    # " + file.path() + ":3\n"));
    EXPECT_THAT(text, HasSubstr("log-level = \"debug\"               # command line\n"));
}

TEST(Help, NamesEverySettingAndOptionInLinesThatFitATerminal) {
    const std::string text = help_text();
    for (const core::Field& field : kSettings.fields)
        EXPECT_THAT(text, HasSubstr("  --" + std::string(field.name))) << field.name;
    for (const ModeOption& option : mode_options()) EXPECT_THAT(text, HasSubstr(std::string(option.flag)));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 110U) << line;
}

TEST(ExampleFile, IsTheOneInTheRepository) {
    std::ostringstream text;
    text << std::ifstream(EVERTICK_EXAMPLE_FILE).rdbuf();
    EXPECT_EQ(text.str(), example_file())
        << "a setting changed: write the expected text to config/evertick.toml";
}

TEST(ExampleFile, HoldsTheDefaults) {
    const TemporaryFile file(example_file());
    const Changes found = changes(Settings{}, loaded({"--config", file.path()}).settings);
    EXPECT_THAT(found.reloadable, IsEmpty());
    EXPECT_THAT(found.needs_restart, IsEmpty());
}

}  // namespace
}  // namespace evertick::config
