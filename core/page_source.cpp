#include "core/page_source.hpp"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "core/poison.hpp"
#include "core/verify.hpp"

namespace evertick::core {

namespace {

constexpr std::size_t kSmallestRange = std::size_t{64} << 20;

std::size_t round_up(std::size_t value, std::size_t unit) { return (value + unit - 1) / unit * unit; }

// The 32 pages of a slab as bits.
std::uint32_t slab_bits(const NumberSet& pages, std::size_t slab) {
    static_assert(2 * PageSource::kPagesPerSlab == NumberSet::kWordBits);
    return static_cast<std::uint32_t>(pages.word(slab / 2) >> slab % 2 * PageSource::kPagesPerSlab);
}

bool is_granted(std::size_t bytes) {
    try {
        const ReservedArray<std::byte> probe(bytes);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

}  // namespace

std::size_t PageSourceStats::committed_bytes() const {
    return (live_pages + idle_pages) * PageSource::kPageBytes;
}

PageSource& PageSource::process() {
    alignas(PageSource) static std::byte storage[sizeof(PageSource)];  // operator new may end here
    static PageSource* const immortal = [] {
        auto* const source = new (storage) PageSource;
        // A fork copies the lock in the state it is in: make it a free one, in parent and child.
        ::pthread_atfork([] { process().mutex_.lock(); }, [] { process().mutex_.unlock(); },
                         [] { process().mutex_.unlock(); });
        return source;
    }();
    return *immortal;
}

// Made before main(): a child of fork() would wait for ever for one that another thread was just making.
[[maybe_unused]] static const PageSource& page_source_made_early = PageSource::process();

// Address space may be limited (ulimit -v, strict overcommit). Then others need some of it too, the threads'
// stacks and our own tables among them: take half of what could be had.
ReservedArray<std::byte> PageSource::reserve(std::size_t wanted_bytes) {
    if (is_granted(wanted_bytes)) return ReservedArray<std::byte>(wanted_bytes);
    std::size_t bytes = wanted_bytes / 2;
    while (bytes > kSmallestRange && !is_granted(bytes)) bytes /= 2;
    return ReservedArray<std::byte>(std::max(bytes / 2, 2 * kSlabBytes));
}

PageSource::PageSource(const Options& options)
    : mapping_(reserve(round_up(std::clamp(options.range_bytes, kSlabBytes, kMaxRangeBytes), kSlabBytes) +
                       kSlabBytes)),
      begin_(mapping_.data() + (0 - std::bit_cast<std::uintptr_t>(mapping_.data())) % kSlabBytes),
      range_bytes_(mapping_.size() / kSlabBytes * kSlabBytes - kSlabBytes),
      idle_(page_limit()),
      returned_(page_limit()),
      whole_(page_limit() / kPagesPerSlab) {
    if (options.huge_pages) advise_huge_pages();
}

PageSource::~PageSource() {
    verify(live_ == 0, "PageSource destroyed while pages are in use");
    unpoison(begin_, frontier_ * kPageBytes);
}

bool PageSource::advise_huge_pages() noexcept {
    return ::madvise(mapping_.data(), mapping_.size(), MADV_HUGEPAGE) == 0;
}

// ---- allocating ----

void* PageSource::allocate(std::size_t count, std::size_t alignment) {
    verify(count > 0, "PageSource::allocate: no pages are asked for");
    verify(std::has_single_bit(alignment) && alignment <= kSlabBytes,
           "PageSource::allocate: the alignment is no power of two up to a slab");
    const std::lock_guard lock(mutex_);
    const bool is_page = count == 1 && alignment <= kPageBytes;
    const std::size_t first =
        is_page ? find_page() : find_run(count, std::max(alignment / kPageBytes, std::size_t{1}));
    if (count > page_limit() || !advance_frontier(first + count)) throw std::bad_alloc();
    take(first, count);
    unpoison(page(first), count * kPageBytes);
    return page(first);
}

bool PageSource::extend(void* run, std::size_t old_count, std::size_t new_count) noexcept {
    const std::size_t first = page_number(run) + old_count;
    const std::size_t end = page_number(run) + new_count;
    if (end < first || end > page_limit()) return false;
    const std::lock_guard lock(mutex_);
    if (first < frontier_ && next_page(first, false) < std::min(end, frontier_)) return false;
    if (!advance_frontier(end)) return false;
    take(first, end - first);
    unpoison(page(first), (end - first) * kPageBytes);
    return true;
}

void PageSource::free(void* run, std::size_t count) noexcept {
    verify(owns(run) && page(page_number(run)) == run, "PageSource::free: no page begins at this address");
    verify(count > 0 && count <= page_limit() - page_number(run), "PageSource::free: no run is that long");
    poison(run, count * kPageBytes);
    const std::lock_guard lock(mutex_);
    put_back(page_number(run), count);
}

// The lowest page whose memory is there, else the lowest.
std::size_t PageSource::find_page() const {
    if (!idle_.empty()) return idle_.lowest();
    return returned_.empty() ? frontier_ : returned_.lowest();
}

// The first of `count` free pages; they may reach beyond the frontier.
std::size_t PageSource::find_run(std::size_t count, std::size_t alignment_pages) const {
    for (std::size_t first = next_page(0, true);;) {
        first = round_up(first, alignment_pages);
        if (first >= frontier_) return first;
        const std::size_t end = next_page(first, false);
        if (end == frontier_ || end - first >= count) return first;
        first = next_page(end, true);
    }
}

// The first page from `from` on that is free, or is not; the frontier if there is none below it.
std::size_t PageSource::next_page(std::size_t from, bool is_free) const {
    using Word = NumberSet::Word;
    Word mask = ~Word{0} << from % NumberSet::kWordBits;
    for (std::size_t i = from / NumberSet::kWordBits; i * NumberSet::kWordBits < frontier_; ++i) {
        const Word free = idle_.word(i) | returned_.word(i);
        const Word wanted = (is_free ? free : ~free) & mask;
        if (wanted != 0)
            return std::min(frontier_,
                            i * NumberSet::kWordBits + static_cast<std::size_t>(std::countr_zero(wanted)));
        mask = ~Word{0};
    }
    return frontier_;
}

// Makes `wanted` pages known, new ones as returned. Returns false when the range is not that long.
bool PageSource::advance_frontier(std::size_t wanted) {
    if (wanted > page_limit()) return false;
    for (const std::size_t end = round_up(wanted, kPagesPerSlab); frontier_ < end; ++frontier_)
        returned_.insert(frontier_);
    return true;
}

void PageSource::take(std::size_t first, std::size_t count) {
    for (std::size_t number = first; number < first + count; ++number) {
        if (idle_.contains(number)) {
            idle_.erase(number);
            --idle_count_;
        } else {
            returned_.erase(number);
        }
    }
    live_ += count;
    high_water_ = std::max(high_water_, live_);
    note_slabs(first, count);
}

void PageSource::put_back(std::size_t first, std::size_t count) {
    for (std::size_t number = first; number < first + count; ++number) {
        verify(number < frontier_ && is_live(number), "PageSource::free: a page is not in use");
        idle_.insert(number);
    }
    idle_count_ += count;
    live_ -= count;
    note_slabs(first, count);
}

// Brings whole_ up to date about the slabs of these pages.
void PageSource::note_slabs(std::size_t first_page, std::size_t count) {
    const std::size_t last = (first_page + count - 1) / kPagesPerSlab;
    for (std::size_t slab = first_page / kPagesPerSlab; slab <= last; ++slab) {
        const std::uint32_t idle = slab_bits(idle_, slab);
        if (idle != 0 && (idle | slab_bits(returned_, slab)) == ~std::uint32_t{0})
            whole_.insert(slab);
        else
            whole_.erase(slab);
    }
}

// ---- giving back ----

std::size_t PageSource::trim(TimePoint now, std::size_t budget_bytes) {
    const std::lock_guard lock(mutex_);
    const std::size_t budget_pages = (budget_bytes + kPageBytes - 1) / kPageBytes;
    return give_back(std::min(surplus_pages(now), budget_pages)) * kPageBytes;
}

std::size_t PageSource::trim_all() {
    const std::lock_guard lock(mutex_);
    return give_back(idle_count_) * kPageBytes;
}

std::size_t PageSource::surplus_pages(TimePoint now) {
    if (now - window_began_ >= kHighWaterWindow) {
        earlier_high_water_ = high_water_;
        high_water_ = live_;
        window_began_ = now;
    }
    const std::size_t reserve = std::max(live_ * 3 / 100, kReservePages);
    const std::size_t kept = std::max(high_water_, earlier_high_water_) + reserve;
    return live_ + idle_count_ > kept ? live_ + idle_count_ - kept : 0;
}

// Returns how many pages it gave back: at least `pages`, if so many are idle.
std::size_t PageSource::give_back(std::size_t pages) {
    std::size_t given = 0;
    while (given < pages && idle_count_ > 0)
        given += whole_.empty() ? give_back_highest_idle() : give_back_slab(whole_.highest());
    return given;
}

std::size_t PageSource::give_back_slab(std::size_t slab) {
    ::madvise(page(slab * kPagesPerSlab), kSlabBytes, MADV_DONTNEED);
    std::size_t given = 0;
    for (std::uint32_t left = slab_bits(idle_, slab); left != 0; left &= left - 1, ++given) {
        const std::size_t number = slab * kPagesPerSlab + static_cast<std::size_t>(std::countr_zero(left));
        idle_.erase(number);
        returned_.insert(number);
    }
    idle_count_ -= given;
    whole_.erase(slab);
    return given;
}

// The highest idle page, and those that adjoin it in its slab.
std::size_t PageSource::give_back_highest_idle() {
    const std::size_t last = idle_.highest();
    std::size_t first = last;
    while (first % kPagesPerSlab != 0 && idle_.contains(first - 1)) --first;
    const std::size_t count = last - first + 1;
    ::madvise(page(first), count * kPageBytes, MADV_DONTNEED);
    for (std::size_t number = first; number <= last; ++number) {
        idle_.erase(number);
        returned_.insert(number);
    }
    idle_count_ -= count;
    return count;
}

// ---- accounting ----

PageSourceStats PageSource::stats() const {
    const std::lock_guard lock(mutex_);
    PageSourceStats stats{.live_pages = live_,
                          .idle_pages = idle_count_,
                          .returned_pages = frontier_ - live_ - idle_count_,
                          .largest_free_run = 0,
                          .range_pages = page_limit()};
    for (std::size_t first = next_page(0, true); first < frontier_;) {
        const std::size_t end = next_page(first, false);
        stats.largest_free_run = std::max(stats.largest_free_run, end - first);
        first = next_page(end, true);
    }
    return stats;
}

void PageSource::check_invariants() const {
    const std::lock_guard lock(mutex_);
    idle_.check_invariants();
    returned_.check_invariants();
    whole_.check_invariants();
    std::size_t live = 0, idle = 0;
    for (std::size_t number = 0; number < frontier_; ++number) {
        verify(!(idle_.contains(number) && returned_.contains(number)), "PageSource: a page is in one state");
        live += is_live(number) ? 1U : 0U;
        idle += idle_.contains(number) ? 1U : 0U;
    }
    verify(live == live_ && idle == idle_count_, "PageSource: every page is counted");
    verify(high_water_ >= live_, "PageSource: the high water is not below the present level");
    for (std::size_t slab = 0; slab < frontier_ / kPagesPerSlab; ++slab) {
        const bool whole = slab_bits(idle_, slab) != 0 &&
                           (slab_bits(idle_, slab) | slab_bits(returned_, slab)) == ~std::uint32_t{0};
        verify(whole_.contains(slab) == whole, "PageSource: a whole free slab is known as such");
    }
}

}  // namespace evertick::core
