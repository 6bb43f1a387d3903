#pragma once
// The last kWindow durations, and their mean and percentiles on request. Fixed size; adding costs O(1).

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "server/commands/context.hpp"

namespace evertick::server {

class RecentDurations {
  public:
    static constexpr std::size_t kWindow = 1024;

    void add(std::chrono::steady_clock::duration duration);
    std::size_t count() const { return count_ < kWindow ? static_cast<std::size_t>(count_) : kWindow; }

    // shape: all zero while there is none. cost: O(kWindow)
    commands::Durations summary() const;

  private:
    std::array<double, kWindow> seconds_{};
    std::uint64_t count_ = 0;
};

}  // namespace evertick::server
