#pragma once
// Names to numbers, for tables that are made once and asked for every request. Built at the start, never
// changed; names are compared exactly and must outlive the table.
//
// Thread safety: immutable once constructed.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace evertick::commands {

class NameTable {
  public:
    static constexpr std::size_t kUnknown = ~std::size_t{0};

    // requires: every name once (verified)
    explicit NameTable(std::span<const std::string_view> names);

    // The place of the name among the names, or kUnknown. cost: O(length), no allocation
    std::size_t find(std::string_view name) const {
        for (std::size_t slot = home(name);; slot = (slot + 1) & mask_) {
            const Slot& held = slots_[slot];
            if (held.number == kUnknown || held.name == name) return held.number;
        }
    }

  private:
    struct Slot {
        std::string_view name;
        std::size_t number = kUnknown;
    };
    std::size_t home(std::string_view name) const { return std::hash<std::string_view>{}(name)&mask_; }

    std::vector<Slot> slots_;  // at most half of them taken, so that every search ends soon
    std::size_t mask_;
};

}  // namespace evertick::commands
