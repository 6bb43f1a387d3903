#pragma once
// A BinnedAllocator with pages of its own.

#include "core/binned_allocator.hpp"
#include "core/page_source.hpp"

namespace evertick::test {

class PrivateBins {
  public:
    core::BinnedAllocator* operator->() { return &bins_; }
    core::BinnedAllocator& operator*() { return bins_; }
    const core::PageSource& source() const { return source_; }

  private:
    core::PageSource source_{{.range_bytes = std::size_t{1} << 30}};
    core::BinnedAllocator bins_{source_};
};

}  // namespace evertick::test
