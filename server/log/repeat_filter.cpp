#include "server/log/repeat_filter.hpp"

#include <algorithm>
#include <utility>

namespace evertick::server {

bool RepeatFilter::is_over(const Entry& entry, TimePoint now) const {
    return now < entry.written || now - entry.written >= interval_;
}

void RepeatFilter::forget(std::size_t count) {
    const auto end = entries_.begin() + static_cast<std::ptrdiff_t>(count);
    for (auto entry = entries_.begin(); entry != end; ++entry)
        if (entry->held_back > 0) due_.push_back({entry->level, std::move(entry->message), entry->held_back});
    entries_.erase(entries_.begin(), end);
}

bool RepeatFilter::admits(Level level, std::string_view message, TimePoint now) {
    const auto found = std::ranges::find_if(
        entries_, [&](const Entry& entry) { return entry.level == level && entry.message == message; });
    if (found != entries_.end() && !is_over(*found, now)) {
        ++found->held_back;
        return false;
    }
    const auto fresh =
        std::ranges::find_if_not(entries_, [&](const Entry& entry) { return is_over(entry, now); });
    forget(static_cast<std::size_t>(fresh - entries_.begin()));
    if (entries_.size() == kMaxTracked) forget(1);
    entries_.push_back({level, std::string(message), now});
    return true;
}

std::vector<RepeatFilter::HeldBack> RepeatFilter::take_due(TimePoint now) {
    const auto fresh =
        std::ranges::find_if_not(entries_, [&](const Entry& entry) { return is_over(entry, now); });
    forget(static_cast<std::size_t>(fresh - entries_.begin()));
    return std::exchange(due_, {});
}

std::vector<RepeatFilter::HeldBack> RepeatFilter::take_all() {
    forget(entries_.size());
    return std::exchange(due_, {});
}

}  // namespace evertick::server
