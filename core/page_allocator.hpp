#pragma once
// PageAllocator: where stacks get their memory. It hands out pages (small, large, or a block of whole large
// ones for a request that fits neither) and counts what its users hold; free pages are the page source's. It
// is not a general allocator: a page is for somebody who divides it further.
//
// A small page is a 64th of a large one; a large page all of whose parts are free goes back.
// Invariant: every page handed out is counted until it comes back.
// Cost:      allocate and free are O(1), blocks as PageSource's runs.
// Errors:    no memory, or a size beyond the range, is std::bad_alloc.
// Threads:   every member may be called from any thread, and a page freed on another than its own.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include "core/number_set.hpp"
#include "core/page_source.hpp"
#include "core/reserved_array.hpp"

namespace evertick::core {

// The two sizes of page, in bytes. What its user notes about it (a stack's link) comes out of it.
enum class PageSize : std::size_t { small = 1024, large = PageSource::kPageBytes };

struct PageStats {
    std::size_t small_pages = 0;       // handed out
    std::size_t small_page_hosts = 0;  // large pages cut into small ones
    std::size_t large_pages = 0;       // handed out
    std::size_t block_pages = 0;       // large pages in blocks handed out

    // Taken from the page source, in pages.
    std::size_t pages() const { return small_page_hosts + large_pages + block_pages; }
};

class PageAllocator {
  public:
    // The one behind MemStack::this_thread(). It is never destroyed, so a thread may end at any time; a fork
    // leaves it usable.
    static PageAllocator& process();

    explicit PageAllocator(PageSource& source = PageSource::process());
    // requires: every page was freed (verified)
    ~PageAllocator();
    PageAllocator(const PageAllocator&) = delete;
    PageAllocator& operator=(const PageAllocator&) = delete;

    // Returns a page of at least `size_bytes`, with anything in it: a small or large page, or a block of
    // whole large pages. Aligned to a kilobyte, or to a large page.
    [[nodiscard]] std::span<std::byte> allocate(std::size_t size_bytes);

    // requires: `page` as allocate() returned it, and nobody uses it any more
    void free(std::span<std::byte> page) noexcept;

    PageStats stats() const;
    // Aborts unless the invariant holds. cost: O(large pages cut into small ones)
    void check_invariants() const;

  private:
    static constexpr std::size_t kSmallBytes = static_cast<std::size_t>(PageSize::small);
    static constexpr std::size_t kLargeBytes = static_cast<std::size_t>(PageSize::large);
    static_assert(kLargeBytes / kSmallBytes == 64, "a word says which parts of a host are free");

    std::byte* allocate_small();
    void free_small(std::byte* page) noexcept;

    PageSource& source_;
    mutable std::mutex mutex_;
    NumberSet hosts_with_room_;                // by page number
    ReservedArray<std::uint64_t> free_parts_;  // of each host: bit n: its n-th small page is free
    PageStats stats_;
};

}  // namespace evertick::core
