#include "server/pacer.hpp"

#include <cmath>

#include "core/verify.hpp"

namespace evertick::server {
namespace {

constexpr Duration kSuspended = std::chrono::seconds(1);  // later than this is no overrun: nobody ran us

// Double holds whole nanoseconds for a hundred days of schedule; past that a start is off by some, never by
// more each time.
Duration after(std::uint64_t slots, double rate_hz) {
    return Duration(std::llround(static_cast<double>(slots) * 1e9 / rate_hz));
}

}  // namespace

Pacer::Pacer(const Pacing& pacing, TimePoint start) : pacing_(pacing), start_(start) {}

void Pacer::restart(TimePoint now) {
    start_ = now;
    slot_ = 1;
}

void Pacer::restart(TimePoint now, double rate_hz) {
    pacing_.rate_hz = rate_hz;
    restart(now);
}

TimePoint Pacer::due() const { return start_ + after(slot_, pacing_.rate_hz); }

Duration Pacer::period() const { return after(1, pacing_.rate_hz); }

Duration Pacer::begin(TimePoint now) {
    core::verify(now >= due(), "a tick starts no earlier than it is due");
    const Duration late = now - due();
    const auto owed = static_cast<std::uint64_t>(late / period());  // besides this tick
    if (late >= kSuspended + period()) {
        ++counters_.suspends;
        give_up(owed, now);
    } else if (owed > pacing_.max_catch_up_ticks) {
        give_up(pacing_.overrun == Overrun::slow ? owed : owed - pacing_.max_catch_up_ticks, now);
    }
    if (owed > 0) ++counters_.caught_up;
    ++slot_;
    return late;
}

void Pacer::give_up(std::uint64_t periods, TimePoint now) {
    counters_.skipped += periods;
    if (pacing_.overrun == Overrun::skip) {
        slot_ += periods;
    } else {
        start_ = now;
        slot_ = 0;
    }
}

}  // namespace evertick::server
