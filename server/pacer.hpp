#pragma once
// When ticks start. Tick n of a schedule starts at start + n * period, computed afresh each time, so errors
// never add up. Pure: the time of day comes in as an argument.
//
// A tick that starts late is caught up, back to back, while no more than max_catch_up_ticks are owed. What is
// owed beyond that is given up, and counted: `skip` keeps the grid of starts, `slow` moves it to now.

#include <chrono>
#include <cstdint>

namespace evertick::server {

using TimePoint = std::chrono::steady_clock::time_point;
using Duration = std::chrono::steady_clock::duration;

enum class Overrun : std::uint8_t { skip, slow };

struct Pacing {
    double rate_hz = 30;
    Overrun overrun = Overrun::skip;
    std::uint32_t max_catch_up_ticks = 5;
};

struct PacerCounters {
    std::uint64_t caught_up = 0;  // ticks that started a period or more late
    std::uint64_t skipped = 0;    // periods given up
    std::uint64_t suspends = 0;   // the process did not run at all for a second or more
};

class Pacer {
  public:
    Pacer(const Pacing& pacing, TimePoint start);

    // A new schedule whose first tick is one period from now; counters stay.
    void restart(TimePoint now);
    void restart(TimePoint now, double rate_hz);

    // When the next tick should start.
    TimePoint due() const;

    // Says that the next tick starts now. Gives up what is owed too much. Returns how late it is.
    // requires: now >= due() (verified)
    Duration begin(TimePoint now);

    double rate_hz() const { return pacing_.rate_hz; }
    Duration period() const;
    const PacerCounters& counters() const { return counters_; }

  private:
    void give_up(std::uint64_t periods, TimePoint now);

    Pacing pacing_;
    TimePoint start_;
    std::uint64_t slot_ = 1;  // the next tick starts at start_ + slot_ * period
    PacerCounters counters_;
};

}  // namespace evertick::server
