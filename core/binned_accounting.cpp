// BinnedAllocator: giving memory back, counting it, and checking that all of it is counted.

#include <sys/mman.h>

#include <algorithm>
#include <bit>

#include "core/binned_allocator.hpp"
#include "core/verify.hpp"

namespace evertick::core {

namespace {

bool is_free(const std::uint64_t* bits, std::size_t cell) { return (bits[cell / 64] >> cell % 64 & 1U) != 0; }

// Whether no live cell reaches into a kernel page.
bool is_unused(const std::uint64_t* bits, std::size_t bin, std::size_t kernel_page) {
    const std::size_t begin = kernel_page * kKernelPageBytes;
    const std::size_t end = std::min(cell_at(bin, begin + kKernelPageBytes - 1) + 1, cells_per_page(bin));
    for (std::size_t cell = cell_at(bin, begin); cell < end; ++cell)
        if (!is_free(bits, cell)) return false;
    return true;
}

}  // namespace

std::size_t BinnedAllocator::trim(bool deep) {
    if (has_shelves_ && detail::this_threads_cache != &detail::no_cache) flush(*detail::this_threads_cache);
    std::size_t given_back = 0;
    std::size_t looks = deep ? NumberSet::kNone : kLooksPerTrim;
    for (std::size_t bin = 0; bin < kBins; ++bin) remove_empty_page(bin);
    const std::size_t first = next_trimmed_bin_.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < kBins && looks > 0 && (deep || given_back < kReturnedPerTrim); ++i) {
        const std::size_t bin = (first + i) % kBins;
        given_back += look_at_pages(bin, deep, looks);
        next_trimmed_bin_.store(bin, std::memory_order_relaxed);
    }
    return deep ? given_back + pages_.trim_all() : given_back;
}

// There is at most one: the last with room.
void BinnedAllocator::remove_empty_page(std::size_t bin) {
    const std::lock_guard lock(bins_[bin].mutex);
    const std::size_t number = bins_[bin].roomy.lowest();
    if (number != NumberSet::kNone && records_[number].free_cells == cells_per_page(bin))
        remove_page(bin, number);
}

// Looks at the bin's pages with room, from where it left off, and returns what the sparse ones can spare. The
// lowest page is the next that cells are taken from: it keeps its memory.
std::size_t BinnedAllocator::look_at_pages(std::size_t index, bool deep, std::size_t& looks) {
    Bin& bin = bins_[index];
    const std::lock_guard lock(bin.mutex);
    if (bin.roomy.empty()) return 0;
    std::size_t given_back = 0;
    std::size_t number =
        deep ? bin.roomy.lowest() : bin.roomy.next(std::max(bin.next_look, bin.roomy.lowest() + 1));
    const auto may_go_on = [&] { return deep || (looks > 0 && given_back < kReturnedPerTrim); };
    for (; number != NumberSet::kNone && may_go_on(); number = bin.roomy.next(number + 1), --looks)
        if (deep || std::size_t{records_[number].free_cells} * 2 >= cells_per_page(index))
            given_back += return_free_memory(index, number);
    bin.next_look = number == NumberSet::kNone ? 0 : number;
    return given_back;
}

// Gives back each kernel page of a page in use that no live cell reaches into. Returns the bytes.
std::size_t BinnedAllocator::return_free_memory(std::size_t bin, std::size_t number) {
    PageRecord& record = records_[number];
    std::byte* const page = static_cast<std::byte*>(pages_.page(number));
    std::size_t given_back = 0;
    for (std::size_t at = 0; at < kKernelPages; ++at) {
        if ((std::uint32_t{record.returned} >> at & 1U) != 0 || !is_unused(bits(bin, number), bin, at))
            continue;
        ::madvise(page + at * kKernelPageBytes, kKernelPageBytes, MADV_DONTNEED);
        record.returned = static_cast<std::uint16_t>(record.returned | 1U << at);
        given_back += kKernelPageBytes;
    }
    return given_back;
}

// ---- accounting ----

std::size_t BinnedStats::live_bytes() const {
    std::size_t bytes = run_pages * kBinPageBytes;
    for (const BinStats& bin : bins) bytes += bin.live_cells * bin.cell_bytes;
    return bytes;
}

std::size_t BinnedStats::pages() const {
    std::size_t pages = run_pages + shelf_pages;
    for (const BinStats& bin : bins) pages += bin.pages;
    return pages;
}

std::size_t BinnedStats::committed_bytes() const {
    std::size_t bytes = pages() * kBinPageBytes;
    for (const BinStats& bin : bins) bytes -= bin.returned_bytes;
    return bytes;
}

std::uint64_t BinnedAllocator::allocations() const {
    const std::lock_guard lock(caches_mutex_);
    std::uint64_t sum = other_allocations_;
    for (const detail::ThreadCache* cache = caches_; cache != nullptr; cache = cache->next)
        sum += cache->allocations.load(std::memory_order_relaxed);
    return sum;
}

BinnedStats BinnedAllocator::stats() const {
    BinnedStats stats;
    stats.allocations = allocations();
    const std::lock_guard lock(caches_mutex_);
    stats.run_pages = run_pages_;
    stats.shelf_pages = cache_count_;
    for (const detail::ThreadCache* cache = caches_; cache != nullptr; cache = cache->next)
        for (std::size_t bin = 0; bin < kBins; ++bin)
            stats.bins[bin].shelved_cells += cache->shelves[bin].count.load(std::memory_order_relaxed);
    for (std::size_t bin = 0; bin < kBins; ++bin) count_pages(bin, stats.bins[bin]);
    return stats;
}

void BinnedAllocator::count_pages(std::size_t index, BinStats& stats) const {
    const Bin& bin = bins_[index];
    const std::size_t cells = cells_per_page(index);
    const std::lock_guard lock(bin.mutex);
    stats.cell_bytes = kCellBytes[index];
    stats.pages = bin.pages;
    std::size_t roomy = 0;
    for (std::size_t number = bin.roomy.next(0); number != NumberSet::kNone;
         number = bin.roomy.next(number + 1)) {
        const PageRecord& record = records_[number];
        const std::size_t used = cells - record.free_cells;
        ++stats.pages_by_use[(used * 4 + cells - 1) / cells];
        stats.free_cells += record.free_cells;
        stats.returned_bytes += static_cast<std::size_t>(std::popcount(record.returned)) * kKernelPageBytes;
        ++roomy;
    }
    stats.pages_by_use.back() += bin.pages - roomy;
    // While other threads move cells the sums are taken at different moments: never below nothing.
    const std::size_t not_live = std::min(stats.free_cells + stats.shelved_cells, stats.pages * cells);
    stats.live_cells = stats.pages * cells - not_live;
}

void BinnedAllocator::check_invariants() const {
    lock_all();  // no page may come or go meanwhile
    std::array<std::size_t, kBins> pages{};
    const std::size_t end = pages_.frontier();
    for (std::size_t number = 0; number < end; ++number) {
        if (use_of(number) == kUnused || use_of(number) == kRun) continue;
        const std::size_t bin = use_of(number) - std::size_t{1};
        const PageRecord& record = records_[number];
        ++pages[bin];
        std::size_t free_cells = 0;
        for (std::size_t cell = 0; cell < cells_per_page(bin); ++cell)
            free_cells += is_free(bits(bin, number), cell) ? 1U : 0U;
        verify(free_cells == record.free_cells, "BinnedAllocator: every free cell is counted");
        verify(bins_[bin].roomy.contains(number) == (free_cells > 0),
               "BinnedAllocator: a page with a free cell is known as such");
        for (std::size_t word = 0; word < record.lowest_word; ++word)
            verify(bits(bin, number)[word] == 0, "BinnedAllocator: no cell is free below the lowest word");
    }
    for (std::size_t bin = 0; bin < kBins; ++bin) {
        verify(pages[bin] == bins_[bin].pages, "BinnedAllocator: every page is counted");
        bins_[bin].roomy.check_invariants();
    }
    unlock_all();
}

}  // namespace evertick::core
