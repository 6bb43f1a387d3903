#include "server/log/log.hpp"

#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <utility>

#include "core/quote.hpp"
#include "server/log/line_format.hpp"
#include "server/log/repeat_filter.hpp"

namespace evertick::server {
namespace {

using TimePoint = std::chrono::system_clock::time_point;

constexpr std::array kSpdlogLevels{spdlog::level::trace, spdlog::level::debug, spdlog::level::info,
                                   spdlog::level::warn, spdlog::level::err};

Level level_of(spdlog::level::level_enum level) {
    return static_cast<Level>(std::ranges::find(kSpdlogLevels, level) - kSpdlogLevels.begin());
}

class LineFormatter final : public spdlog::formatter {
  public:
    explicit LineFormatter(LogFormat format) : format_(format) {}

    void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& out) override {
        const std::string_view text(message.payload.data(), message.payload.size());
        const auto line = format_ == LogFormat::json ? &json_line : &text_line;
        const std::string formatted = line(message.time, level_of(message.level), text);
        out.append(formatted.data(), formatted.data() + formatted.size());
    }
    std::unique_ptr<spdlog::formatter> clone() const override {
        return std::make_unique<LineFormatter>(format_);
    }

  private:
    LogFormat format_;
};

// A line on standard error, past the log.
void complain(LogFormat format, std::string_view message) {
    std::string text;
    core::append_escaped(text, message, Log::kMaxMessageBytes);
    const auto line = format == LogFormat::json ? &json_line : &text_line;
    const std::string formatted = line(std::chrono::system_clock::now(), Level::error, text);
    std::fwrite(formatted.data(), 1, formatted.size(), stderr);
}

// throws spdlog::spdlog_ex when the file cannot be opened
spdlog::sink_ptr open_sink(const LogOptions& options) {
    if (options.file.empty()) return std::make_shared<spdlog::sinks::stderr_sink_mt>();
    return std::make_shared<spdlog::sinks::rotating_file_sink_mt>(
        options.file, static_cast<std::size_t>(options.max_bytes), std::max(options.files, 1U) - 1);
}

}  // namespace

class Log::Impl {
  public:
    Impl(const LogOptions& options, spdlog::sink_ptr sink)
        : now_(options.now),
          level_(options.level),
          pool_(std::make_shared<spdlog::details::thread_pool>(kMaxQueuedLines, 1)),
          logger_(std::make_shared<spdlog::async_logger>("evertick", std::move(sink), pool_,
                                                         spdlog::async_overflow_policy::overrun_oldest)) {
        logger_->set_formatter(std::make_unique<LineFormatter>(options.format));
        logger_->set_level(spdlog::level::trace);  // ours decides
        logger_->flush_on(spdlog::level::trace);   // a line that is due is on disk before the next
        logger_->set_error_handler([format = options.format, told = false](const std::string& what) mutable {
            if (std::exchange(told, true)) return;  // once: each line to come would say it again
            complain(format, "the log cannot be written: " + what);
        });
    }

    ~Impl() {
        const std::lock_guard lock(mutex_);
        for (const auto& repeated : filter_.take_all()) post_count(repeated, now_());
    }

    void write(Level level, std::string_view message) {
        if (level < level_.load(std::memory_order_relaxed)) return;
        std::string line;
        core::append_escaped(line, message, kMaxMessageBytes);
        const std::lock_guard lock(mutex_);
        const TimePoint now = now_();
        const bool admitted = filter_.admits(level, line, now);
        post_counts(now);
        if (admitted) post(level, line, now);
    }

    void report_repeats() {
        const std::lock_guard lock(mutex_);
        post_counts(now_());
    }

    std::atomic<Level>& level() { return level_; }

  private:
    void post_counts(TimePoint now) {
        for (const auto& repeated : filter_.take_due(now)) post_count(repeated, now);
        const std::size_t lost = pool_->overrun_counter();
        if (lost == lost_) return;
        post(Level::warning,
             std::to_string(lost - std::exchange(lost_, lost)) + " log lines are lost: too many at once",
             now);
    }

    void post_count(const RepeatFilter::HeldBack& repeated, TimePoint now) {
        post(repeated.level,
             "repeated " + std::to_string(repeated.count) + " more times: " + repeated.message, now);
    }

    void post(Level level, const std::string& line, TimePoint now) {
        logger_->log(now, {}, kSpdlogLevels.at(std::to_underlying(level)), line);
    }

    std::function<TimePoint()> now_;
    std::atomic<Level> level_;
    std::mutex mutex_;  // guards filter_, lost_, and the order of lines
    RepeatFilter filter_{kRepeatInterval};
    std::size_t lost_ = 0;
    std::shared_ptr<spdlog::details::thread_pool> pool_;  // after logger_ is gone it writes what is left
    std::shared_ptr<spdlog::async_logger> logger_;
};

core::Result<Log> Log::open(const LogOptions& options) {
    try {
        return Log(std::make_unique<Impl>(options, open_sink(options)));
    } catch (const spdlog::spdlog_ex& error) {
        return core::failure(core::ErrorCode::err,
                             "log file " + core::quote(options.file) + ": " + error.what());
    }
}

Log::Log(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Log::~Log() = default;
Log::Log(Log&&) noexcept = default;
Log& Log::operator=(Log&&) noexcept = default;

void Log::write(Level level, std::string_view message) { impl_->write(level, message); }
void Log::set_level(Level level) { impl_->level() = level; }
Level Log::level() const { return impl_->level(); }
void Log::report_repeats() { impl_->report_repeats(); }

}  // namespace evertick::server
