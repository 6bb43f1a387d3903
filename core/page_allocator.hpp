#pragma once
// PageAllocator: where arenas get their memory. It hands out pages (small, large, or a block for a request
// that fits neither), pools those that come back, and gives idle memory to the operating system when asked.
// It is not a general allocator: a page is for somebody who divides it further.
//
// Policy: a freed page stays in the pool with its memory, so the next round finds it without a page fault.
//         Nothing is given back on the way. trim() gives back pages that were idle all the time since the
//         last trim(), the coldest first, and leaves kKeptIdleBytes; their address space is kept for reuse.
//         Called every ten seconds, the pool follows the high-water mark of the last ten seconds.
// Invariant: every page ever made is live, idle or returned, and stats() counts each of them once.
// Cost:      allocate and free are O(1); a page that must be made is one mmap (small: one operator new).
// Errors:    no memory, or a size beyond the address space, is std::bad_alloc.
// Threads:   every member may be called from any thread, and a page freed on another than its own.

#include <array>
#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

namespace evertick::core {

// The two sizes of page, in bytes. A small page and malloc's header make one KiB.
enum class PageSize : std::size_t { small = 1024 - 16, large = 65536 };

struct PageStats {
    struct Tally {
        std::size_t live = 0, idle = 0, returned = 0;  // pages: handed out; pooled; pooled without memory
        std::size_t live_bytes = 0, idle_bytes = 0, returned_bytes = 0;
    };
    Tally small, large, block;

    // Memory the pages may occupy, in bytes; less where one was never touched.
    std::size_t committed_bytes() const;
    // Address space taken, in bytes.
    std::size_t reserved_bytes() const;
};

class PageAllocator {
  public:
    // How much idle memory trim() leaves in large pages, and how much it gives back at most in one call
    // (about 0.2 ms of the caller's time; a single block may be larger).
    static constexpr std::size_t kKeptIdleBytes = std::size_t{2} << 20;
    static constexpr std::size_t kTrimBytes = std::size_t{2} << 20;

    // The one behind MemStack::this_thread(). It is never destroyed, so a thread may end at any time.
    static PageAllocator& process();

    PageAllocator() = default;
    // requires: every page was freed (verified)
    ~PageAllocator();
    PageAllocator(const PageAllocator&) = delete;
    PageAllocator& operator=(const PageAllocator&) = delete;

    // Returns a page of at least `size_bytes`, with anything in it: a small or large page, or a block of a
    // power of two times the large page. Aligned for any fundamental type.
    [[nodiscard]] std::span<std::byte> allocate(std::size_t size_bytes);

    // requires: `page` as allocate() returned it, and nobody uses it any more
    void free(std::span<std::byte> page) noexcept;

    // Returns how many bytes it gave back to the operating system. From kTrimBytes on there may be more: call
    // again, next tick perhaps.
    std::size_t trim();

    PageStats stats() const;

    // Aborts unless the invariant holds. cost: O(idle pages)
    void check_invariants() const;

  private:
    // All pages of one size. Lists of addresses, not links inside the pages: a returned page must not be
    // touched.
    struct Pool {
        std::vector<std::byte*> idle;      // the most recently freed last
        std::vector<std::byte*> returned;  // made but without memory
        std::size_t total = 0;             // live, idle and returned
        std::size_t low_water = 0;         // the fewest idle since the last trim()

        std::size_t live() const { return total - idle.size() - returned.size(); }
    };
    // Pool 0 has small pages, pool 1 large ones, each further one twice the size of the one before.
    static constexpr std::size_t kPools = 32;
    static constexpr std::size_t kLargestPageBytes = static_cast<std::size_t>(PageSize::large)
                                                     << (kPools - 2);

    static std::size_t pool_for(std::size_t size_bytes);
    static std::size_t page_bytes(std::size_t pool_index);
    static std::byte* make_page(std::size_t pool_index);
    static void destroy_page(std::size_t pool_index, std::byte* page) noexcept;

    std::byte* grow(std::size_t pool_index);
    std::size_t trim_pool(std::size_t pool_index, std::size_t budget_bytes);

    mutable std::mutex mutex_;
    std::array<Pool, kPools> pools_;
};

}  // namespace evertick::core
