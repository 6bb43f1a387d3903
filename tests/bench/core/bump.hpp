#pragma once

#include <cstddef>
#include <vector>

#include "core/verify.hpp"

namespace evertick::bench {

// A raw bump pointer: the least that an allocation can cost.
class Bump {
  public:
    void* allocate(std::size_t size_bytes) {
        core::verify(size_bytes <= static_cast<std::size_t>(end_ - top_), "the benchmark fits the buffer");
        std::byte* const memory = top_;
        top_ += (size_bytes + 15) & ~std::size_t{15};
        return memory;
    }
    std::byte* top() const { return top_; }
    void reset(std::byte* top) { top_ = top; }

  private:
    std::vector<std::byte> buffer_ = std::vector<std::byte>(std::size_t{4} << 20);
    std::byte* top_ = buffer_.data();
    std::byte* end_ = buffer_.data() + buffer_.size();
};

}  // namespace evertick::bench
