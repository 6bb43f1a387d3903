#include "server/tick_profile.hpp"

namespace evertick::server {

void TickProfile::system_ran(std::size_t row) {
    const TimePoint ended = now_();
    times_[row].add(ended - last_);
    last_ = ended;
}

std::vector<commands::SystemTime> TickProfile::systems() const {
    std::vector<commands::SystemTime> all;
    all.reserve(times_.size());
    for (std::size_t row = 0; row < times_.size(); ++row)
        all.push_back({systems::schedule()[row].name, times_[row].summary()});
    return all;
}

}  // namespace evertick::server
