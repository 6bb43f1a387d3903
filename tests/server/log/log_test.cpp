#include "server/log/log.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

namespace evertick::server {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A log in a file of its own, under a clock that stands still unless told. Reading closes the log first.
class LogTest : public ::testing::Test {
  protected:
    LogTest() {
        std::string pattern = (std::filesystem::temp_directory_path() / "evertick-log-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
        options.file = folder_ / "a.log";
        options.now = [this] { return now; };
    }
    ~LogTest() override { std::filesystem::remove_all(folder_); }

    Log open() {
        auto log = Log::open(options);
        EXPECT_TRUE(log.has_value()) << log.error().message;
        return std::move(*log);
    }

    std::string text(std::string_view name = "a.log") const {
        std::ostringstream out;
        out << std::ifstream(folder_ / name).rdbuf();
        return out.str();
    }

    // Without the time.
    std::vector<std::string> messages() const {
        std::vector<std::string> found;
        std::istringstream lines(text());
        for (std::string line; std::getline(lines, line);) found.push_back(line.substr(25));
        return found;
    }

    LogOptions options;
    std::chrono::system_clock::time_point now{seconds{1'717'747'750}};
    std::filesystem::path folder_;
};

TEST_F(LogTest, WritesALineAMessage) {
    open().info("ready");
    EXPECT_EQ(text(), "2024-06-07T08:09:10.000Z info    ready\n");
}

TEST_F(LogTest, WritesJsonLines) {
    options.format = LogFormat::json;
    open().warning("a \"b\"\n");
    EXPECT_EQ(
        text(),
        "{\"time\":\"2024-06-07T08:09:10.000Z\",\"level\":\"warning\",\"message\":\"a \\\"b\\\"\\\\x0a\"}\n");
}

TEST_F(LogTest, KeepsEveryMessageOnOnePrintableLine) {
    open().info("GET\r\n\x1b[31m\xff" + std::string(1, '\0'));
    EXPECT_THAT(messages(), ElementsAre(R"(info    GET\x0d\x0a\x1b[31m\xff\x00)"));
}

TEST_F(LogTest, CutsLongMessages) {
    open().info(std::string(1'000'000, 'a'));
    EXPECT_THAT(messages(), ElementsAre("info    " + std::string(Log::kMaxMessageBytes, 'a') + "..."));
}

TEST_F(LogTest, WritesFromItsLevelUp) {
    {
        Log log = open();
        log.debug("one");
        log.error("two");
        log.set_level(Level::debug);
        log.debug("three");
        log.set_level(Level::error);
        log.warning("four");
        EXPECT_EQ(log.level(), Level::error);
    }
    EXPECT_THAT(messages(), ElementsAre("error   two", "debug   three"));
}

TEST_F(LogTest, CollapsesAFloodAndTellsItsSize) {
    {
        Log log = open();
        for (int i = 0; i < 1000; ++i) log.warning("too slow");
        now += Log::kRepeatInterval;
        log.info("next");
    }
    EXPECT_THAT(messages(),
                ElementsAre("warning too slow", "warning repeated 999 more times: too slow", "info    next"));
}

TEST_F(LogTest, TellsTheSizeOfAFloodWhenAskedAndAtTheEnd) {
    {
        Log log = open();
        log.info("a");
        log.info("a");
        log.report_repeats();
        now += Log::kRepeatInterval;
        log.report_repeats();
        log.info("b");
        log.info("b");
    }
    EXPECT_THAT(messages(), ElementsAre("info    a", "info    repeated 1 more times: a", "info    b",
                                        "info    repeated 1 more times: b"));
}

TEST_F(LogTest, RotatesBySizeAndKeepsSoManyFiles) {
    options.max_bytes = 4096;
    options.files = 3;
    {
        Log log = open();
        for (int i = 0; i < 600; ++i) log.info("line " + std::to_string(i));
    }
    EXPECT_TRUE(std::filesystem::exists(folder_ / "a.2.log"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "a.3.log"));
    for (const std::string_view name : {"a.log", "a.1.log", "a.2.log"})
        EXPECT_LE(text(name).size(), 4096U) << name;
    EXPECT_THAT(text(), HasSubstr("line 599\n"));
}

TEST_F(LogTest, AppendsToTheFileThatIsThere) {
    open().info("one");
    open().info("two");
    EXPECT_THAT(messages(), ElementsAre("info    one", "info    two"));
}

TEST_F(LogTest, SaysWhichFileCannotBeOpened) {
    options.file = folder_;
    const auto log = Log::open(options);
    ASSERT_FALSE(log.has_value());
    EXPECT_THAT(log.error().message, HasSubstr(folder_.string()));
    EXPECT_THAT(log.error().message, HasSubstr("Is a directory"));
}

TEST_F(LogTest, TakesMessagesFromManyThreads) {
    {
        Log log = open();
        std::vector<std::jthread> threads;
        threads.reserve(4);
        for (int thread = 0; thread < 4; ++thread)
            threads.emplace_back([&log, thread] {
                for (int i = 0; i < 100; ++i) log.info(std::to_string(thread) + "/" + std::to_string(i));
            });
    }
    EXPECT_EQ(messages().size(), 400U);
}

// Standard error led into a pipe that nobody reads until drain().
class StuckStandardError {
  public:
    StuckStandardError() : saved_(dup(STDERR_FILENO)) {
        EXPECT_EQ(pipe2(pipe_.data(), O_CLOEXEC), 0);
        dup2(pipe_[1], STDERR_FILENO);
        close(pipe_[1]);
    }
    // Reads until standard error is restored, which closes the pipe.
    std::jthread drain(std::string& out) {
        return std::jthread([this, &out] {
            std::array<char, 4096> buffer{};
            for (ssize_t got = 0; (got = read(pipe_[0], buffer.data(), buffer.size())) > 0;)
                out.append(buffer.data(), static_cast<std::size_t>(got));
            close(pipe_[0]);
        });
    }
    void restore() {
        dup2(saved_, STDERR_FILENO);
        close(saved_);
    }

  private:
    int saved_;
    std::array<int, 2> pipe_{};
};

TEST(Log, GoesOnWhenNobodyReadsStandardErrorAndTellsWhatIsLost) {
    constexpr int kLines = 2 * static_cast<int>(Log::kMaxQueuedLines);
    std::string output;
    StuckStandardError stuck;
    {
        std::jthread reader;
        auto log = Log::open({});
        const std::string padding(200, '.');  // so that the pipe is full long before the queue
        for (int i = 0; i < kLines; ++i) log->info(std::to_string(i) + padding);
        reader = stuck.drain(output);
        log->info("last");
        log = Log::open({.level = Level::error});  // the first writes what it has left and ends
        stuck.restore();
    }
    EXPECT_THAT(output, HasSubstr(" log lines are lost"));
    EXPECT_THAT(output, HasSubstr("info    last\n"));
}

}  // namespace
}  // namespace evertick::server
