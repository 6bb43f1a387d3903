#pragma once
// BinnedAllocator: objects of any size, each in a cell of the smallest size class that holds it. A bin cuts
// 64 KiB pages into equal cells; which cells are free is kept as bits beside the pages, never inside them, so
// freeing touches no freed memory and an empty stretch can be given back to the kernel. Each thread has a
// shelf of free cells for each bin, so allocating and freeing are a push and a pop without a lock.
//
//     allocate --> thread's shelf --refill--> bin: lowest page with a free cell --> PageSource
//     free     --> thread's shelf --flush --> bin: the cell's bit; an empty page goes back
//
// More than kLargestCellBytes is a run of whole pages of its own. Because the lowest page with room is used
// first, what lives long gathers at the bottom and pages at the top come free.
//
// Shelves:    of process() only; at most kShelfBytes (or two cells) and kShelfCells each, so what a thread
//             holds is bounded whatever it does; a thread that only frees hands its cells on in batches. They
//             go back when the thread ends. An allocator of your own has none: every call takes a lock. It is
//             for accounting a part apart.
// Invariants: every cell of a page is live, on one shelf, or marked free in its bin; stats() adds up.
// Cost:       O(1); every so many calls a batch of cells is exchanged under the bin's lock.
// Errors:     no memory is std::bad_alloc. Freeing what no cell begins with aborts when the cell
//             reaches its bin, in debug builds at once; so does freeing it twice (at once unless it is on
//             another thread's shelf).
// Debugging:  freed cells are filled with 0xDD in debug builds and poisoned under AddressSanitizer.
// Threads:    every member may be called from any thread; memory may be freed on another than its own. A
//             child of fork() may go on allocating.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include "core/debug.hpp"
#include "core/number_set.hpp"
#include "core/page_source.hpp"
#include "core/poison.hpp"
#include "core/reserved_array.hpp"
#include "core/size_classes.hpp"
#include "core/verify.hpp"

namespace evertick::core {

struct BinStats {
    std::size_t cell_bytes = 0;
    std::size_t pages = 0;
    std::size_t live_cells = 0;
    std::size_t shelved_cells = 0;   // free, on a thread's shelf
    std::size_t free_cells = 0;      // free, in the bin
    std::size_t returned_bytes = 0;  // of the pages: given back to the kernel
    std::array<std::size_t, 5>
        pages_by_use{};  // empty, up to 25 %, 50 %, 75 %, more than 75 % of cells in use
};

struct BinnedStats {
    std::array<BinStats, kBins> bins;
    std::size_t run_pages = 0;      // of requests larger than any cell
    std::size_t shelf_pages = 0;    // hold the threads' shelves
    std::uint64_t allocations = 0;  // ever made

    std::size_t live_bytes() const;       // in cells and runs handed out
    std::size_t pages() const;            // taken from the page source
    std::size_t committed_bytes() const;  // of them, less what was returned
};

namespace detail {

inline constexpr std::size_t kShelfBytes = std::size_t{32} << 10;
inline constexpr std::size_t kShelfCells = 256;

// A stack of free cells of one bin. The count is read by other threads' stats().
struct Shelf {
    std::atomic<std::uint32_t> count{0};
    std::uint32_t capacity = 0;
    void** cells = nullptr;

    void* pop() {
        const std::uint32_t held = count.load(std::memory_order_relaxed);
        if (held == 0) [[unlikely]]
            return nullptr;
        count.store(held - 1, std::memory_order_relaxed);
        return cells[held - 1];
    }
    bool push(void* cell) {
        const std::uint32_t held = count.load(std::memory_order_relaxed);
        if (held == capacity) [[unlikely]]
            return false;
        cells[held] = cell;
        count.store(held + 1, std::memory_order_relaxed);
        return true;
    }
};

struct ThreadCache {
    std::array<Shelf, kBins> shelves;
    std::atomic<std::uint64_t> allocations{0};  // by this thread; written by it alone
    ThreadCache* next = nullptr;                // of all threads' caches
    ThreadCache* previous = nullptr;

    void* take(std::size_t bin) {
        void* const cell = shelves[bin].pop();
        if (cell != nullptr) [[likely]]
            allocations.store(allocations.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        return cell;
    }
};

// Its shelves hold nothing and take nothing: a thread that has none yet, or none any more, ends in the slow
// path.
extern ThreadCache no_cache;
inline constinit thread_local ThreadCache* this_threads_cache = &no_cache;

}  // namespace detail

class BinnedAllocator {
  public:
    static constexpr std::size_t kShelfBytes = detail::kShelfBytes;
    static constexpr std::size_t kShelfCells = detail::kShelfCells;
    static constexpr std::size_t kLooksPerTrim = 64;
    static constexpr std::size_t kReturnedPerTrim = std::size_t{256} << 10;  // about 0.1 ms

    // The one behind everything that is not told otherwise. Never destroyed.
    static BinnedAllocator& process();

    // Without shelves.
    explicit BinnedAllocator(PageSource& pages) : BinnedAllocator(pages, false) {}
    // requires: everything was freed (verified)
    ~BinnedAllocator();
    BinnedAllocator(const BinnedAllocator&) = delete;
    BinnedAllocator& operator=(const BinnedAllocator&) = delete;

    // Returns usable_bytes(size_bytes, alignment) bytes with anything in them; a request for 0 bytes gets an
    // address of its own too.
    // requires: alignment is a power of two (verified where it is over kCellAlignment)
    // errors:   std::bad_alloc: no memory, or an alignment over 2 MiB
    [[nodiscard]] void* allocate(std::size_t size_bytes, std::size_t alignment = kCellAlignment) {
        if (size_bytes > kLargestCellBytes || alignment > kCellAlignment) [[unlikely]]
            return allocate_unusual(size_bytes, alignment);
        return allocate_cell(bin_for(size_bytes));
    }

    // requires: what allocate() returned, or nullptr
    void free(void* memory) noexcept {
        if (memory == nullptr) return;
        verify(pages_.owns(memory), "BinnedAllocator::free: the address is none of its own");
        const std::uint8_t use = use_of(memory);
        if (use != kUnused && use != kRun) [[likely]]
            return free_cell(memory, use - std::size_t{1});
        free_run(memory);
    }
    // The same, faster, for who knows the size and alignment that were asked for.
    void free(void* memory, std::size_t size_bytes, std::size_t alignment = kCellAlignment) noexcept {
        if (size_bytes > kLargestCellBytes || alignment > kCellAlignment) [[unlikely]]
            return free(memory);
        if (memory != nullptr) free_cell(memory, bin_for(size_bytes));
    }

    // More than this is never live at once, in bytes.
    std::size_t limit_bytes() const { return pages_.page_limit() * PageSource::kPageBytes; }

    // What a request is really given, in bytes.
    static std::size_t usable_bytes(std::size_t size_bytes, std::size_t alignment = kCellAlignment);
    // What it was given. requires: as free()
    std::size_t usable_bytes(const void* memory) const;

    // Returns whether the memory now serves a request of `new_bytes` where it stands: within its cell, or as
    // a run that is cut or grows into free pages behind it. requires: what allocate(old_bytes, alignment)
    // returned
    [[nodiscard]] bool resize_in_place(void* memory, std::size_t old_bytes, std::size_t new_bytes,
                                       std::size_t alignment = kCellAlignment) noexcept;

    // Gives up free memory that is held for reuse: this thread's shelves and empty pages, and of sparse pages
    // (at least half free, and not the next to be used) the memory of every 4 KiB without a live cell. It
    // looks at kLooksPerTrim pages, returns kReturnedPerTrim or a page more, and goes on there the next time,
    // so that it may be called each tick. deep: it looks at every page, and the page source gives up its idle
    // ones. Returns the bytes given back to the kernel. cost: deep, O(pages with a free cell)
    std::size_t trim(bool deep);

    // How many allocations were ever made: what a loop that should make none is watched with.
    // cost: O(threads)
    std::uint64_t allocations() const;
    // cost: O(pages with a free cell)
    BinnedStats stats() const;
    // Aborts unless the invariants hold. cost: O(pages of the range used so far)
    void check_invariants() const;

  private:
    // Pages of the few bins with more cells than the one has bits for have their bits in the other.
    static constexpr std::size_t kWordsPerPage = 16;
    static constexpr std::size_t kWordsPerCrowdedPage = kBinPageBytes / kCellAlignment / 64;

    // What a page is used for, a byte each: the number of its bin, or one of these. It stays while cells come
    // and go, so threads that free do not wait for a cache line that others write to.
    static constexpr std::uint8_t kRun = 254;   // begins a run
    static constexpr std::uint8_t kUnused = 0;  // or lies within one; so bins are numbered from 1
    static_assert(kBins < kRun);

    struct PageRecord {
        std::uint32_t run_pages;   // of the run it begins
        std::uint16_t free_cells;  // marked free in the bin
        std::uint16_t returned;    // bit n: its n-th 4 KiB have no memory
        std::uint8_t lowest_word;  // no word of its bits below it has a free cell
    };
    struct alignas(64) Bin {
        mutable std::mutex mutex;
        NumberSet roomy{0};  // pages with a free cell
        std::size_t pages = 0;
        std::size_t next_look = 0;  // the page from which on trim() goes on
    };

    BinnedAllocator(PageSource& pages, bool has_shelves);

    void* allocate_cell(std::size_t bin) {
        void* cell = has_shelves_ ? detail::this_threads_cache->take(bin) : nullptr;
        if (cell == nullptr) [[unlikely]]
            cell = allocate_slow(bin);
        unpoison(cell, kCellBytes[bin]);
        return cell;
    }
    void free_cell(void* cell, std::size_t bin) noexcept {
        if constexpr (kDebugBuild) check_live(cell, bin);
        spoil(cell, kCellBytes[bin]);
        if (!has_shelves_ || !detail::this_threads_cache->shelves[bin].push(cell)) [[unlikely]]
            free_slow(cell, bin);
    }

    void* allocate_unusual(std::size_t size_bytes, std::size_t alignment);
    void* allocate_run(std::size_t size_bytes, std::size_t alignment);
    void* allocate_slow(std::size_t bin);
    void free_slow(void* cell, std::size_t bin) noexcept;
    void free_run(void* memory) noexcept;
    void check_live(const void* cell, std::size_t bin) const;

    // Under the bin's lock.
    std::size_t take_cells(std::size_t bin, std::span<void*> cells);
    std::size_t take_from_page(std::size_t bin, std::size_t number, std::span<void*> cells);
    void put_cells(std::size_t bin, std::span<void* const> cells) noexcept;
    std::size_t put_into_page(std::size_t bin, std::span<void* const> cells) noexcept;
    void note_freed(std::size_t bin, std::size_t number, std::size_t count) noexcept;
    bool is_only_roomy(const Bin& bin, std::size_t number) const;
    void add_page(std::size_t bin);
    void remove_page(std::size_t bin, std::size_t number) noexcept;
    void remove_empty_page(std::size_t bin);
    std::size_t look_at_pages(std::size_t index, bool deep, std::size_t& looks);
    std::size_t return_free_memory(std::size_t bin, std::size_t number);
    void count_pages(std::size_t index, BinStats& stats) const;

    friend struct CacheOfThread;
    detail::ThreadCache* open_cache() noexcept;
    void close_cache(detail::ThreadCache* cache) noexcept;
    void flush(detail::ThreadCache& cache) noexcept;

    std::uint64_t* bits(std::size_t bin, std::size_t page_number) const {
        return cells_per_page(bin) > kWordsPerPage * 64
                   ? &crowded_free_bits_[page_number * kWordsPerCrowdedPage]
                   : &free_bits_[page_number * kWordsPerPage];
    }
    static std::uint8_t use_by(std::size_t bin) { return static_cast<std::uint8_t>(bin + 1); }
    std::uint8_t use_of(std::size_t page_number) const {
        return uses_[page_number].load(std::memory_order_relaxed);
    }
    std::uint8_t use_of(const void* memory) const { return use_of(pages_.page_number(memory)); }
    void set_use(std::size_t page_number, std::uint8_t use) noexcept {
        uses_[page_number].store(use, std::memory_order_relaxed);
    }
    void lock_all() const;
    void unlock_all() const;

    PageSource& pages_;
    const bool has_shelves_;
    ReservedArray<std::atomic<std::uint8_t>> uses_;  // by page number
    ReservedArray<PageRecord> records_;              // by page number
    ReservedArray<std::uint64_t> free_bits_;         // of each page: bit n: cell n is free
    ReservedArray<std::uint64_t> crowded_free_bits_;
    std::array<Bin, kBins> bins_;  // no vector: this may be what operator new calls
    std::atomic<std::size_t> run_pages_{0};
    std::atomic<std::uint64_t> other_allocations_{0};  // past the shelves, or by threads that have ended
    mutable std::mutex caches_mutex_;
    std::atomic<std::size_t> next_trimmed_bin_{0};
    detail::ThreadCache* caches_ = nullptr;  // of all threads
    std::size_t cache_count_ = 0;
};

}  // namespace evertick::core
