// How the sources combine: which wins, where a value is from, what must hold between settings.

#include "config/load.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/config/loading.hpp"

namespace evertick::config {
namespace {

using test::error_of;
using test::loaded;
using test::TemporaryFile;
using test::Words;

const Origin& origin_of(const Loaded& loaded, std::string_view name) {
    const auto index = static_cast<std::size_t>(kSettings.find(name) - kSettings.fields.data());
    return loaded.origins.at(index);
}

TEST(Load, GivesTheDefaultsWhenNothingIsSaid) {
    const Loaded result = loaded({});
    EXPECT_EQ(result.settings.bind, "127.0.0.1");
    EXPECT_EQ(result.settings.port, 7777U);
    EXPECT_EQ(result.settings.tick_rate_hz, 30);
    EXPECT_FALSE(result.settings.insecure);
    for (const core::Field& field : kSettings.fields)
        EXPECT_EQ(origin_of(result, field.name).place, "default");
}

// Every combination of the three sources, each with a port of its own.
class Precedence : public ::testing::TestWithParam<int> {};

TEST_P(Precedence, TheLaterSourceWins) {
    const bool in_file = (GetParam() & 1) != 0, in_environment = (GetParam() & 2) != 0,
               in_arguments = (GetParam() & 4) != 0;
    const TemporaryFile file(in_file ? "\nport = 1001\n" : "");
    Words arguments{"--config", file.path()}, environment;
    if (in_environment) environment.emplace_back("EVERTICK_PORT=1002");
    if (in_arguments) arguments.emplace_back("--port=1003");
    const Loaded result = loaded(arguments, environment);
    const Origin& origin = origin_of(result, "port");
    if (in_arguments) {
        EXPECT_EQ(result.settings.port, 1003U);
        EXPECT_EQ(origin.place, "command line");
    } else if (in_environment) {
        EXPECT_EQ(result.settings.port, 1002U);
        EXPECT_EQ(origin.place, "environment EVERTICK_PORT");
    } else if (in_file) {
        EXPECT_EQ(result.settings.port, 1001U);
        EXPECT_EQ(origin.place, file.path() + ":2");
    } else {
        EXPECT_EQ(result.settings.port, 7777U);
        EXPECT_EQ(origin.place, "default");
    }
}

INSTANTIATE_TEST_SUITE_P(Sources, Precedence, ::testing::Range(0, 8));

TEST(Load, ReadsNoFileThatIsNotNamed) {
    const TemporaryFile file("port = 1");
    EXPECT_EQ(loaded({}).settings.port, 7777U);
    EXPECT_EQ(error_of({}, {"EVERTICK_CONFIG=" + file.path()}),
              "unknown environment variable 'EVERTICK_CONFIG'; --help lists what there is");
}

TEST(Load, SaysWhereTheSettingsComeFrom) {
    const TemporaryFile file("port = 1");
    EXPECT_EQ(sources(loaded({})), "defaults");
    EXPECT_EQ(sources(loaded({"--config", file.path()})), file.path());
    EXPECT_EQ(sources(loaded({"--config", file.path(), "--seed=2"}, {"EVERTICK_TICK_RATE=60"})),
              file.path() + ", environment, command line");
}

// One example for every setting, by each source: a setting that one of them cannot carry would fail here.
TEST(Load, CarriesEverySettingThroughEverySource) {
    const Settings defaults;
    for (const core::Field& field : kSettings.fields) {
        SCOPED_TRACE(field.name);
        std::string value;
        core::append_text(value, core::read(field, &defaults));
        const bool quotes = field.kind == core::Kind::word || field.kind == core::Kind::text;
        const TemporaryFile file(std::string(field.name) + " = " + (quotes ? '"' + value + '"' : value));
        const std::string flag = "--" + std::string(field.name) + "=" + value;
        EXPECT_EQ(origin_of(loaded({"--config", file.path()}), field.name).source, Source::file);
        EXPECT_EQ(origin_of(loaded({}, {variable_name(field.name) + "=" + value}), field.name).source,
                  Source::environment);
        EXPECT_EQ(origin_of(loaded({flag}), field.name).source, Source::command_line);
    }
}

TEST(Settings, HaveHelpAndADefaultWithinTheirLimits) {
    const Settings defaults;
    for (const core::Field& field : kSettings.fields) {
        EXPECT_FALSE(field.info.help.empty()) << field.name;
        std::string text;
        core::append_text(text, core::read(field, &defaults));
        EXPECT_TRUE(core::parse_value(field, field.name, text).has_value()) << field.name << " = " << text;
    }
}

TEST(Settings, AreNamedInLowerCaseWithDashes) {
    for (const core::Field& field : kSettings.fields)
        EXPECT_EQ(field.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string_view::npos)
            << field.name;
}

}  // namespace
}  // namespace evertick::config
