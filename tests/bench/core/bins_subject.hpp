#pragma once
// Our bins as a subject of subject.hpp.

#include <cstddef>

#include "core/binned_allocator.hpp"
#include "core/page_source.hpp"
#include "tests/bench/core/subject.hpp"

namespace evertick::bench {

struct Bins {
    using Round = Bins;
    void* allocate(std::size_t size_bytes) { return bins.allocate(size_bytes); }
    void free(void* memory, std::size_t) { bins.free(memory); }
    void tick(TimePoint now) {
        bins.trim(false);
        core::PageSource::process().trim(now);
    }
    void trim() { bins.trim(true); }

    core::BinnedAllocator& bins = core::BinnedAllocator::process();
};

// The same, told the size, as containers can.
struct SizedBins : Bins {
    using Round = SizedBins;
    void free(void* memory, std::size_t size_bytes) { bins.free(memory, size_bytes); }
};

}  // namespace evertick::bench
