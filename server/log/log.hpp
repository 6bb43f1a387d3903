#pragma once
// The log: one line a message, to standard error or to a file, for people or as JSON.
//
//     2024-06-07T08:09:10.123Z warning  a client is too slow: closed
//     {"time":"2024-06-07T08:09:10.123Z","level":"warning","message":"a client is too slow: closed"}
//
// Whatever a message holds, its line is one line of printable ASCII (core::append_escaped), so bytes of a
// client can be part of it. Equal messages within kRepeatInterval are counted, not written; see
// RepeatFilter.
//
// Lines are written by a thread of the log's own: a slow disk or a stuck reader never holds up the caller.
// When more than kMaxQueuedLines wait, the oldest are lost, and a line says how many. The destructor writes
// what is left. A file that cannot be written at run time costs its lines, not the server.
// Thread safety: every member may be called from any thread.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "server/log/level.hpp"

namespace evertick::server {

enum class LogFormat : std::uint8_t { text, json };

struct LogOptions {
    Level level = Level::info;
    LogFormat format = LogFormat::text;
    std::string file;                    // empty: standard error
    std::uint64_t max_bytes = 16 << 20;  // then a.log becomes a.1.log, a.1.log becomes a.2.log, ...
    std::uint32_t files = 5;             // kept in all; at least 1
    std::function<std::chrono::system_clock::time_point()> now = &std::chrono::system_clock::now;
};

class Log {
  public:
    static constexpr std::chrono::seconds kRepeatInterval{10};
    static constexpr std::size_t kMaxMessageBytes = 4096;
    static constexpr std::size_t kMaxQueuedLines = 1024;

    // errors: ERR: the file cannot be opened
    static core::Result<Log> open(const LogOptions& options);

    ~Log();
    Log(Log&&) noexcept;
    Log& operator=(Log&&) noexcept;

    void write(Level level, std::string_view message);

    void debug(std::string_view message) { write(Level::debug, message); }
    void info(std::string_view message) { write(Level::info, message); }
    void warning(std::string_view message) { write(Level::warning, message); }
    void error(std::string_view message) { write(Level::error, message); }

    // The least that is written from now on.
    void set_level(Level level);
    Level level() const;

    // Writes the counts that are due although nothing else is logged. Call it every few seconds.
    void report_repeats();

  private:
    class Impl;
    explicit Log(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace evertick::server
