#include "core/binned_allocator.hpp"

#include <pthread.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <new>

#include "core/verify.hpp"

namespace evertick::core {

namespace {

// The kernel pages of its page that a cell lies in, as bits.
std::uint32_t kernel_pages_of(std::size_t bin, std::size_t cell) {
    const std::size_t first = cell * kCellBytes[bin] / kKernelPageBytes;
    const std::size_t last = ((cell + 1) * kCellBytes[bin] - 1) / kKernelPageBytes;
    return (std::uint32_t{2} << last) - (std::uint32_t{1} << first);
}

std::size_t pages_for(std::size_t size_bytes) {
    return size_bytes / PageSource::kPageBytes + (size_bytes % PageSource::kPageBytes != 0 ? 1 : 0);
}

}  // namespace

static_assert(kBinPageBytes == PageSource::kPageBytes);

BinnedAllocator::BinnedAllocator(PageSource& pages, bool has_shelves)
    : pages_(pages),
      has_shelves_(has_shelves),
      uses_(pages.page_limit()),
      records_(pages.page_limit()),
      free_bits_(pages.page_limit() * kWordsPerPage),
      crowded_free_bits_(pages.page_limit() * kWordsPerCrowdedPage) {
    for (Bin& bin : bins_) bin.roomy = NumberSet(pages.page_limit());
}

BinnedAllocator::~BinnedAllocator() {
    trim(false);
    for (const Bin& bin : bins_) verify(bin.pages == 0, "BinnedAllocator destroyed while cells are in use");
    verify(run_pages_ == 0, "BinnedAllocator destroyed while a large allocation is in use");
}

BinnedAllocator& BinnedAllocator::process() {
    // Built in place: operator new may be this allocator.
    alignas(BinnedAllocator) static std::byte storage[sizeof(BinnedAllocator)];
    static BinnedAllocator* const immortal = [] {
        auto* const allocator = new (storage) BinnedAllocator(PageSource::process(), true);
        // Registered after the page source's, so run before it: a bin is locked before the source.
        ::pthread_atfork([] { process().lock_all(); }, [] { process().unlock_all(); },
                         [] { process().unlock_all(); });
        return allocator;
    }();
    return *immortal;
}

// Made before main(): a child of fork() would wait for ever for one that another thread was just making.
[[maybe_unused]] static const BinnedAllocator& binned_allocator_made_early = BinnedAllocator::process();

void BinnedAllocator::lock_all() const {
    caches_mutex_.lock();
    for (const Bin& bin : bins_) bin.mutex.lock();
}

void BinnedAllocator::unlock_all() const {
    for (const Bin& bin : bins_) bin.mutex.unlock();
    caches_mutex_.unlock();
}

// ---- the slow ways in and out ----

void* BinnedAllocator::allocate_unusual(std::size_t size_bytes, std::size_t alignment) {
    verify(std::has_single_bit(alignment), "BinnedAllocator: the alignment is not a power of two");
    const std::size_t bin = bin_for(size_bytes, alignment);
    return bin < kBins ? allocate_cell(bin) : allocate_run(size_bytes, alignment);
}

void* BinnedAllocator::allocate_run(std::size_t size_bytes, std::size_t alignment) {
    if (alignment > PageSource::kSlabBytes) throw std::bad_alloc();
    const std::size_t count = std::max(pages_for(size_bytes), std::size_t{1});
    void* const run = pages_.allocate(count, std::max(alignment, PageSource::kPageBytes));
    set_use(pages_.page_number(run), kRun);
    records_[pages_.page_number(run)].run_pages = static_cast<std::uint32_t>(count);
    run_pages_ += count;
    ++other_allocations_;
    return run;
}

void* BinnedAllocator::allocate_slow(std::size_t bin) {
    detail::ThreadCache* const cache = has_shelves_ ? open_cache() : nullptr;
    if (cache == nullptr) {
        void* cell = nullptr;
        const std::lock_guard lock(bins_[bin].mutex);
        take_cells(bin, {&cell, 1});
        ++other_allocations_;
        return cell;
    }
    detail::Shelf& shelf = cache->shelves[bin];
    const std::lock_guard lock(bins_[bin].mutex);
    const std::size_t taken = take_cells(bin, {shelf.cells, std::max(shelf.capacity / 2, 1U)});
    shelf.count = static_cast<std::uint32_t>(taken);
    return cache->take(bin);
}

void BinnedAllocator::free_run(void* memory) noexcept {
    const std::size_t number = pages_.page_number(memory);
    verify(use_of(number) == kRun, "BinnedAllocator::free: nothing is allocated at the address");
    verify(pages_.page(number) == memory,
           "BinnedAllocator::free: the address is not the begin of its allocation");
    set_use(number, kUnused);
    const std::size_t count = records_[number].run_pages;
    run_pages_ -= count;
    pages_.free(memory, count);
}

// The shelf is full, so its older half goes to the bin.
void BinnedAllocator::free_slow(void* cell, std::size_t bin) noexcept {
    detail::ThreadCache* const cache = has_shelves_ ? open_cache() : nullptr;
    const std::lock_guard lock(bins_[bin].mutex);
    if (cache == nullptr) return put_cells(bin, {&cell, 1});
    detail::Shelf& shelf = cache->shelves[bin];
    if (shelf.push(cell)) return;
    const std::span<void*> cells(shelf.cells, shelf.capacity);
    const std::size_t older = std::max(cells.size() / 2, std::size_t{1});
    put_cells(bin, cells.first(older));
    std::ranges::copy(cells.subspan(older), cells.begin());
    shelf.count = static_cast<std::uint32_t>(cells.size() - older);
    shelf.push(cell);
}

void BinnedAllocator::check_live(const void* cell, std::size_t bin) const {
    verify(pages_.owns(cell), "BinnedAllocator::free: the address is none of its own");
    const std::size_t number = pages_.page_number(cell);
    const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(cell) -
                                                 static_cast<const std::byte*>(pages_.page(number)));
    const std::size_t index = cell_at(bin, offset);
    const std::lock_guard lock(bins_[bin].mutex);
    verify(use_of(number) == use_by(bin), "BinnedAllocator::free: no cell of this size is at the address");
    verify(index * kCellBytes[bin] == offset && index < cells_per_page(bin),
           "BinnedAllocator::free: no cell begins at the address");
    verify((bits(bin, number)[index / 64] >> index % 64 & 1U) == 0, "BinnedAllocator::free: freed twice");
    const detail::Shelf& shelf = detail::this_threads_cache->shelves[bin];
    const std::span<void* const> shelved(shelf.cells, shelf.count.load(std::memory_order_relaxed));
    verify(!has_shelves_ || std::ranges::find(shelved, cell) == shelved.end(),
           "BinnedAllocator::free: freed twice");
}

// ---- resizing ----

std::size_t BinnedAllocator::usable_bytes(std::size_t size_bytes, std::size_t alignment) {
    const std::size_t bin = bin_for(size_bytes, alignment);
    if (bin < kBins) return kCellBytes[bin];
    const std::size_t pages = pages_for(size_bytes);
    return pages > std::numeric_limits<std::size_t>::max() / PageSource::kPageBytes
               ? size_bytes  // nobody will be given that
               : std::max(pages, std::size_t{1}) * PageSource::kPageBytes;
}

std::size_t BinnedAllocator::usable_bytes(const void* memory) const {
    verify(pages_.owns(memory), "BinnedAllocator::usable_bytes: the address is none of its own");
    const std::size_t number = pages_.page_number(memory);
    const std::uint8_t use = use_of(number);
    verify(use != kUnused, "BinnedAllocator::usable_bytes: nothing is allocated at the address");
    return use == kRun ? records_[number].run_pages * PageSource::kPageBytes
                       : kCellBytes[use - std::size_t{1}];
}

bool BinnedAllocator::resize_in_place(void* memory, std::size_t old_bytes, std::size_t new_bytes,
                                      std::size_t alignment) noexcept {
    const std::size_t bin = bin_for(old_bytes, alignment);
    if (bin != bin_for(new_bytes, alignment)) return false;
    if (bin < kBins) return true;
    if (new_bytes > limit_bytes()) return false;
    PageRecord& record = records_[pages_.page_number(memory)];
    const std::size_t held = record.run_pages;
    const std::size_t wanted = std::max(pages_for(new_bytes), std::size_t{1});
    if (wanted > held && !pages_.extend(memory, held, wanted)) return false;
    if (wanted < held)
        pages_.free(static_cast<std::byte*>(memory) + wanted * PageSource::kPageBytes, held - wanted);
    record.run_pages = static_cast<std::uint32_t>(wanted);
    run_pages_ += wanted - held;  // wraps, as it should, when the run shrinks
    return true;
}

// ---- bins ----

// Fills `cells` from the end, so that the lowest is popped first. Returns how many: at least one.
std::size_t BinnedAllocator::take_cells(std::size_t bin, std::span<void*> cells) {
    NumberSet& roomy = bins_[bin].roomy;
    if (roomy.empty()) add_page(bin);
    std::size_t taken = 0;
    while (taken < cells.size() && !roomy.empty())
        taken += take_from_page(bin, roomy.lowest(), cells.subspan(taken));
    std::ranges::reverse(cells.first(taken));
    return taken;
}

std::size_t BinnedAllocator::take_from_page(std::size_t bin, std::size_t number, std::span<void*> cells) {
    PageRecord& record = records_[number];
    std::byte* const page = static_cast<std::byte*>(pages_.page(number));
    std::uint64_t* word = bits(bin, number) + record.lowest_word;
    const std::size_t wanted = std::min<std::size_t>(cells.size(), record.free_cells);
    for (std::size_t taken = 0; taken < wanted; *word &= *word - 1) {
        while (*word == 0) ++word;
        const std::size_t cell = static_cast<std::size_t>(word - bits(bin, number)) * 64 +
                                 static_cast<std::size_t>(std::countr_zero(*word));
        cells[taken++] = page + cell * kCellBytes[bin];
        if (record.returned != 0) [[unlikely]]
            record.returned &= static_cast<std::uint16_t>(~kernel_pages_of(bin, cell));
    }
    record.lowest_word = static_cast<std::uint8_t>(word - bits(bin, number));
    record.free_cells = static_cast<std::uint16_t>(record.free_cells - wanted);
    if (record.free_cells == 0) bins_[bin].roomy.erase(number);
    return wanted;
}

// Consecutive cells mostly share a page, and a word: both are brought up to date once for all of them.
void BinnedAllocator::put_cells(std::size_t bin, std::span<void* const> cells) noexcept {
    while (!cells.empty()) cells = cells.subspan(put_into_page(bin, cells));
}

// Marks the cells free that lie in the page of the first one. Returns how many.
std::size_t BinnedAllocator::put_into_page(std::size_t bin, std::span<void* const> cells) noexcept {
    verify(pages_.owns(cells.front()), "BinnedAllocator::free: the address is none of its own");
    const std::size_t number = pages_.page_number(cells.front());
    PageRecord& record = records_[number];
    verify(use_of(number) == use_by(bin), "BinnedAllocator::free: no cell of this size is at the address");
    const auto page = std::bit_cast<std::uintptr_t>(pages_.page(number));
    std::size_t at = cell_at(bin, std::bit_cast<std::uintptr_t>(cells.front()) - page) / 64;
    std::uint64_t word = bits(bin, number)[at];
    std::size_t lowest = std::min<std::size_t>(at, record.lowest_word);
    std::size_t count = 0;
    for (; count < cells.size(); ++count) {
        const std::uintptr_t offset = std::bit_cast<std::uintptr_t>(cells[count]) - page;
        if (offset >= kBinPageBytes) break;
        const std::size_t cell = cell_at(bin, offset);
        verify(cell * kCellBytes[bin] == offset && cell < cells_per_page(bin),
               "BinnedAllocator::free: no cell begins at the address");
        if (cell / 64 != at) {
            bits(bin, number)[at] = word;
            at = cell / 64;
            word = bits(bin, number)[at];
            lowest = std::min(lowest, at);
        }
        verify((word >> cell % 64 & 1U) == 0, "BinnedAllocator::free: freed twice");
        word |= std::uint64_t{1} << cell % 64;
    }
    bits(bin, number)[at] = word;
    record.lowest_word = static_cast<std::uint8_t>(lowest);
    note_freed(bin, number, count);
    return count;
}

void BinnedAllocator::note_freed(std::size_t bin, std::size_t number, std::size_t count) noexcept {
    PageRecord& record = records_[number];
    if (record.free_cells == 0) bins_[bin].roomy.insert(number);
    record.free_cells = static_cast<std::uint16_t>(record.free_cells + count);
    if (record.free_cells == cells_per_page(bin) && !is_only_roomy(bins_[bin], number))
        remove_page(bin, number);
}

// One empty page stays with its bin, so that a pair of calls at a border does not fetch and return it each
// time.
bool BinnedAllocator::is_only_roomy(const Bin& bin, std::size_t number) const {
    return bin.roomy.lowest() == number && bin.roomy.highest() == number;
}

void BinnedAllocator::add_page(std::size_t bin) {
    const std::size_t number = pages_.page_number(pages_.allocate());
    const std::size_t cells = cells_per_page(bin);
    std::fill_n(bits(bin, number), cells / 64, ~std::uint64_t{0});
    if (cells % 64 != 0) bits(bin, number)[cells / 64] = (std::uint64_t{1} << cells % 64) - 1;
    set_use(number, use_by(bin));
    records_[number] = {
        .run_pages = 0, .free_cells = static_cast<std::uint16_t>(cells), .returned = 0, .lowest_word = 0};
    bins_[bin].roomy.insert(number);
    ++bins_[bin].pages;
    poison(pages_.page(number), kBinPageBytes);
}

void BinnedAllocator::remove_page(std::size_t bin, std::size_t number) noexcept {
    set_use(number, kUnused);
    bins_[bin].roomy.erase(number);
    --bins_[bin].pages;
    pages_.free(pages_.page(number));
}

}  // namespace evertick::core
