#pragma once
// memory_report(): where the process's memory is, in one call. Every page of the source is with the page
// allocator (stacks), with the bins (everything else), idle or returned; a report adds up.
//
// Not in it: code, static data, the threads' own stacks, what the C library takes for itself, and the
// allocators' tables (about 1.2 % of the memory in use).

#include <cstddef>

#include "core/binned_allocator.hpp"
#include "core/page_allocator.hpp"
#include "core/page_source.hpp"

namespace evertick::core {

struct MemoryReport {
    PageSourceStats source;
    PageStats stacks;
    BinnedStats bins;

    // In use by whoever asked for it: cells and runs handed out, and the stacks' pages.
    std::size_t live_bytes() const;
    // What may occupy memory, live or kept for reuse.
    std::size_t committed_bytes() const;
    // Pages that the source has handed out and neither of the two holds: none while no other thread
    // allocates.
    std::size_t unaccounted_pages() const;
};

// Of the process's allocators. cost: O(pages of the range used so far / 64 + pages with a free cell)
MemoryReport memory_report();

}  // namespace evertick::core
