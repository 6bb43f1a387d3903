#include "server/recent_durations.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace evertick::server {

void RecentDurations::add(std::chrono::steady_clock::duration duration) {
    seconds_[count_++ % kWindow] = std::chrono::duration<double>(duration).count();
}

commands::Durations RecentDurations::summary() const {
    if (count_ == 0) return {};
    std::array<double, kWindow> sorted = seconds_;
    const std::span samples = std::span(sorted).first(count());
    std::ranges::sort(samples);
    const auto percentile = [&](std::size_t percent) {
        return samples[(samples.size() - 1) * percent / 100];
    };
    const double sum = std::accumulate(samples.begin(), samples.end(), 0.0);
    return {sum / static_cast<double>(samples.size()), percentile(50), percentile(99), samples.back()};
}

}  // namespace evertick::server
