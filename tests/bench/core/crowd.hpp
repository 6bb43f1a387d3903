#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/random.hpp"

namespace evertick::bench {

struct SizeRange {
    std::size_t low, high;  // bytes, both included
};
// A share of small objects, the rest from another range.
struct SizeMix {
    std::uint64_t small_percent;
    SizeRange small, other;

    std::size_t draw(core::Random& random) const {
        const SizeRange& range = random.below(100) < small_percent ? small : other;
        return range.low + random.below(range.high - range.low + 1);
    }
};
constexpr SizeMix kUniform{0, {16, 16}, {16, 2048}};
constexpr SizeMix kSmallHeavy{90, {16, 128}, {129, 2048}};
constexpr SizeMix kLargeHeavy{10, {16, 256}, {1024, 2048}};

// A fixed number of live objects, each with its first and last byte written, so with all its pages.
template <class Subject>
class Crowd {
  public:
    Crowd(Subject& subject, std::size_t count) : subject_(subject), objects_(count), sizes_(count) {}
    ~Crowd() {
        for (std::size_t i = 0; i < objects_.size(); ++i) free(i);
    }
    Crowd(const Crowd&) = delete;
    Crowd& operator=(const Crowd&) = delete;

    std::size_t size() const { return objects_.size(); }
    // Bytes asked for and not freed.
    std::size_t live_bytes() const { return live_bytes_; }

    void allocate(std::size_t index, std::size_t size_bytes) {
        auto* const object = static_cast<std::byte*>(subject_.allocate(size_bytes));
        object[0] = object[size_bytes - 1] = std::byte{1};
        objects_[index] = object;
        sizes_[index] = static_cast<std::uint32_t>(size_bytes);
        live_bytes_ += size_bytes;
    }
    void free(std::size_t index) {
        if (objects_[index] == nullptr) return;
        subject_.free(objects_[index], sizes_[index]);
        live_bytes_ -= sizes_[index];
        objects_[index] = nullptr;
    }
    void fill(const SizeMix& mix, core::Random& random) {
        for (std::size_t i = 0; i < size(); ++i) allocate(i, mix.draw(random));
    }
    // One operation of the churn: an object drawn at random dies, another is born.
    void exchange_one(const SizeMix& mix, core::Random& random) {
        const std::size_t index = random.below(size());
        free(index);
        allocate(index, mix.draw(random));
    }

  private:
    Subject& subject_;
    std::vector<std::byte*> objects_;
    std::vector<std::uint32_t> sizes_;
    std::size_t live_bytes_ = 0;
};

}  // namespace evertick::bench
