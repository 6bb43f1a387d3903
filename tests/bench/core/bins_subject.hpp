#pragma once
// Our bins as a subject of subject.hpp.

#include <cstddef>

#include "tests/bench/core/subject.hpp"
#if __has_include("core/binned_allocator.hpp")
#include "core/binned_allocator.hpp"
#include "core/page_source.hpp"
#endif

namespace evertick::bench {

#if __has_include("core/binned_allocator.hpp")

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

#else  // until the bins are there: their figures are malloc's

using Bins = Malloc;
using SizedBins = SizedNew;

#endif

}  // namespace evertick::bench
