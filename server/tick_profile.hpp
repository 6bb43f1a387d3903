#pragma once
// How long each system took in the last ticks: PROFILE. Of fixed size; a tick costs one look at the clock for
// each system.

#include <vector>

#include "server/commands/context.hpp"
#include "server/recent_durations.hpp"
#include "server/simulation_clock.hpp"
#include "server/systems/schedule.hpp"

namespace evertick::server {

class TickProfile final : public commands::Profile, public systems::Watcher {
  public:
    explicit TickProfile(Now now) : now_(std::move(now)), times_(systems::schedule().size()) {}

    void tick_begins() override { last_ = now_(); }
    void system_ran(std::size_t row) override;
    std::vector<commands::SystemTime> systems() const override;

  private:
    Now now_;
    TimePoint last_;                      // when the system before ended
    std::vector<RecentDurations> times_;  // as the schedule
};

}  // namespace evertick::server
