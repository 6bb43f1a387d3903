#pragma once
// PageSource: all memory of the layers above, as 64 KiB pages from one reserved range of addresses. It hands
// out single pages and runs of neighbouring ones, lowest address first, so that what lives long gathers at
// the bottom and whole slabs (2 MiB) at the top come free.
//
//     range   [slab 0        |slab 1        |slab 2        | ... reserved, never touched ...        ]
//     pages   [llllllliilllll|llriilllllllll|rrrrrrrrrrrrrr|
//              l live: handed out    i idle: free, its memory kept    r returned: free, without memory
//
// What a page is used for, its owner notes in a table of its own, by page_number(): nothing is written into a
// page, free or not.
//
// Policy:     a freed page keeps its memory, so the next round finds it without a page fault. trim()
//             gives idle memory back to the kernel, but keeps what was in use at the busiest moment of the
//             last ten to twenty seconds and a reserve of 3 % (at least 2 MiB). Whole free slabs go first,
//             from the top; only by MADV_DONTNEED, so the range stays one mapping.
// Invariants: every page below the frontier is live, idle or returned; stats() counts each of them once.
// Cost:       a page is O(1) to allocate and to free; a run, or one with an alignment, is O(pages below the
//             frontier / 64) to find.
// Errors:     no memory, or no such run, is std::bad_alloc. Freeing what is not live aborts (verify).
// Threads:    every member may be called from any thread.

#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "core/number_set.hpp"
#include "core/reserved_array.hpp"

namespace evertick::core {

struct PageSourceStats {
    std::size_t live_pages = 0;
    std::size_t idle_pages = 0;        // free, with memory
    std::size_t returned_pages = 0;    // free, below the frontier, without memory
    std::size_t largest_free_run = 0;  // neighbouring free pages below the frontier
    std::size_t range_pages = 0;       // of the whole range

    std::size_t committed_bytes() const;  // what may occupy memory: live and idle pages
};

class PageSource {
  public:
    static constexpr std::size_t kPageBytes = std::size_t{64} << 10;
    static constexpr std::size_t kPagesPerSlab = 32;
    static constexpr std::size_t kSlabBytes = kPageBytes * kPagesPerSlab;
    static constexpr std::size_t kReservePages = kPagesPerSlab;  // kept by trim(), or 3 % of the live ones
    static constexpr std::chrono::seconds kHighWaterWindow{10};
    static constexpr std::size_t kMaxRangeBytes = std::size_t{1} << 40;

    struct Options {
        std::size_t range_bytes = std::size_t{64}
                                  << 30;  // at most; where address space is limited, part of it
        bool huge_pages = false;          // advise_huge_pages() at once
    };

    // The one behind everything that is not told otherwise. Never destroyed; a fork leaves it usable.
    static PageSource& process();
    using TimePoint = std::chrono::steady_clock::time_point;

    PageSource() : PageSource(Options{}) {}
    explicit PageSource(const Options& options);
    // requires: every page was freed (verified)
    ~PageSource();
    PageSource(const PageSource&) = delete;
    PageSource& operator=(const PageSource&) = delete;

    // Returns `count` neighbouring pages with anything in them, the lowest there are.
    // requires: count > 0; alignment is a power of two up to kSlabBytes (both verified)
    [[nodiscard]] void* allocate(std::size_t count = 1, std::size_t alignment = kPageBytes);
    // Makes a run longer where it stands. Returns whether the pages behind it were free.
    // requires: old_count < new_count
    [[nodiscard]] bool extend(void* run, std::size_t old_count, std::size_t new_count) noexcept;
    // requires: pages that allocate() or extend() handed out, all of a run or a part of it (verified)
    void free(void* run, std::size_t count = 1) noexcept;

    // Asks the kernel for 2 MiB pages: fewer page faults and less work for the address translation, for
    // memory that may be occupied before it is used. Returns whether the kernel does such a thing.
    bool advise_huge_pages() noexcept;

    // Gives idle memory back by the policy, at most `budget_bytes` of it (rounded up to one piece of a slab;
    // 2 MiB take about 0.2 ms). Returns the bytes given back; as much as the budget: call again, next tick
    // perhaps. requires: `now` is never before that of an earlier call
    std::size_t trim(TimePoint now, std::size_t budget_bytes = kSlabBytes);
    // Gives back all idle memory, whatever the policy says. Returns the bytes.
    std::size_t trim_all();

    bool owns(const void* address) const noexcept {
        return std::bit_cast<std::uintptr_t>(address) - std::bit_cast<std::uintptr_t>(begin_) < range_bytes_;
    }
    // requires: owns(address)
    std::size_t page_number(const void* address) const noexcept {
        return (std::bit_cast<std::uintptr_t>(address) - std::bit_cast<std::uintptr_t>(begin_)) / kPageBytes;
    }
    void* page(std::size_t number) const noexcept { return begin_ + number * kPageBytes; }
    // Page numbers are below it.
    std::size_t page_limit() const noexcept { return range_bytes_ / kPageBytes; }
    // Pages from this number on were never used.
    std::size_t frontier() const {
        const std::lock_guard lock(mutex_);
        return frontier_;
    }

    // cost: O(pages below the frontier / 64)
    PageSourceStats stats() const;
    // Aborts unless the invariants hold. cost: O(pages below the frontier)
    void check_invariants() const;

  private:
    static ReservedArray<std::byte> reserve(std::size_t wanted_bytes);

    // All of these under the lock.
    std::size_t find_page() const;
    std::size_t find_run(std::size_t count, std::size_t alignment_pages) const;
    std::size_t next_page(std::size_t from, bool is_free) const;
    bool is_live(std::size_t number) const { return !idle_.contains(number) && !returned_.contains(number); }
    bool advance_frontier(std::size_t wanted);
    void take(std::size_t first, std::size_t count);
    void put_back(std::size_t first, std::size_t count);
    void note_slabs(std::size_t first_page, std::size_t count);
    std::size_t surplus_pages(TimePoint now);
    std::size_t give_back(std::size_t pages);
    std::size_t give_back_slab(std::size_t slab);
    std::size_t give_back_highest_idle();

    ReservedArray<std::byte> mapping_;
    std::byte* begin_;  // of the range: aligned to a slab
    std::size_t range_bytes_;
    mutable std::mutex mutex_;
    NumberSet idle_;
    NumberSet returned_;
    NumberSet whole_;           // slabs without a live page and with an idle one
    std::size_t frontier_ = 0;  // pages from here on were never touched; a multiple of kPagesPerSlab
    std::size_t live_ = 0;
    std::size_t idle_count_ = 0;
    std::size_t high_water_ = 0;          // the most pages live since window_began_
    std::size_t earlier_high_water_ = 0;  // and in the window before
    TimePoint window_began_;
};

}  // namespace evertick::core
