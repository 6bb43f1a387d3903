#include "core/page_allocator.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

#include "core/poison.hpp"
#include "core/verify.hpp"

namespace evertick::core {

namespace {

constexpr std::size_t kSmallPool = 0;
constexpr std::size_t kLargePool = 1;
constexpr std::size_t kSmallBytes = std::to_underlying(PageSize::small);
constexpr std::size_t kLargeBytes = std::to_underlying(PageSize::large);

std::size_t committed(const PageStats::Tally& tally) { return tally.live_bytes + tally.idle_bytes; }
std::size_t reserved(const PageStats::Tally& tally) { return committed(tally) + tally.returned_bytes; }

}  // namespace

std::size_t PageStats::committed_bytes() const {
    return committed(small) + committed(large) + committed(block);
}
std::size_t PageStats::reserved_bytes() const { return reserved(small) + reserved(large) + reserved(block); }

PageAllocator& PageAllocator::process() {
    static PageAllocator* const immortal = new PageAllocator;
    return *immortal;
}

PageAllocator::~PageAllocator() {
    for (std::size_t index = 0; index < kPools; ++index) {
        Pool& pool = pools_[index];
        verify(pool.live() == 0, "PageAllocator destroyed while pages are in use");
        for (std::byte* const page : pool.idle) destroy_page(index, page);
        for (std::byte* const page : pool.returned) destroy_page(index, page);
    }
}

std::span<std::byte> PageAllocator::allocate(std::size_t size_bytes) {
    if (size_bytes > kLargestPageBytes) throw std::bad_alloc();
    const std::size_t index = pool_for(size_bytes);
    const std::lock_guard lock(mutex_);
    Pool& pool = pools_[index];
    std::byte* page = nullptr;
    if (!pool.idle.empty()) {
        page = pool.idle.back();
        pool.idle.pop_back();
        pool.low_water = std::min(pool.low_water, pool.idle.size());
    } else if (!pool.returned.empty()) {
        page = pool.returned.back();
        pool.returned.pop_back();
    } else {
        page = grow(index);
    }
    unpoison(page, page_bytes(index));
    return {page, page_bytes(index)};
}

void PageAllocator::free(std::span<std::byte> page) noexcept {
    const std::size_t index = pool_for(page.size());
    verify(page.size() == page_bytes(index), "PageAllocator::free: no page has this size");
    poison(page.data(), page.size());
    const std::lock_guard lock(mutex_);
    Pool& pool = pools_[index];
    verify(pool.live() > 0, "PageAllocator::free: no page of this size is in use");
    pool.idle.push_back(page.data());  // never allocates: grow() reserved the room
}

std::size_t PageAllocator::trim() {
    const std::lock_guard lock(mutex_);
    std::size_t given_back = 0;
    for (std::size_t index = kPools; index-- > 0 && given_back < kTrimBytes;)
        given_back += trim_pool(index, kTrimBytes - given_back);
    return given_back;
}

PageStats PageAllocator::stats() const {
    PageStats stats;
    const std::lock_guard lock(mutex_);
    for (std::size_t index = 0; index < kPools; ++index) {
        const Pool& pool = pools_[index];
        PageStats::Tally& tally = index == kSmallPool   ? stats.small
                                  : index == kLargePool ? stats.large
                                                        : stats.block;
        tally.live += pool.live();
        tally.idle += pool.idle.size();
        tally.returned += pool.returned.size();
        tally.live_bytes += pool.live() * page_bytes(index);
        tally.idle_bytes += pool.idle.size() * page_bytes(index);
        tally.returned_bytes += pool.returned.size() * page_bytes(index);
    }
    return stats;
}

void PageAllocator::check_invariants() const {
    const std::lock_guard lock(mutex_);
    for (const Pool& pool : pools_) {
        verify(pool.idle.size() + pool.returned.size() <= pool.total,
               "PageAllocator: no more free pages than pages");
        verify(pool.low_water <= pool.idle.size(), "PageAllocator: low water is not above the present level");
        verify(pool.idle.capacity() >= pool.total && pool.returned.capacity() >= pool.total,
               "PageAllocator: a page can always be freed without allocating");
        std::vector<std::byte*> free_pages = pool.idle;
        free_pages.insert(free_pages.end(), pool.returned.begin(), pool.returned.end());
        std::ranges::sort(free_pages);
        verify(std::ranges::adjacent_find(free_pages) == free_pages.end(),
               "PageAllocator: a page was freed twice");
    }
}

std::size_t PageAllocator::pool_for(std::size_t size_bytes) {
    if (size_bytes <= kSmallBytes) return kSmallPool;
    return kLargePool + static_cast<std::size_t>(std::bit_width((size_bytes - 1) / kLargeBytes));
}

std::size_t PageAllocator::page_bytes(std::size_t pool_index) {
    return pool_index == kSmallPool ? kSmallBytes : kLargeBytes << (pool_index - kLargePool);
}

std::byte* PageAllocator::make_page(std::size_t pool_index) {
    const std::size_t bytes = page_bytes(pool_index);
    if (pool_index == kSmallPool) return static_cast<std::byte*>(::operator new(bytes));
    void* const page =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (page == MAP_FAILED) throw std::bad_alloc();
    return static_cast<std::byte*>(page);
}

void PageAllocator::destroy_page(std::size_t pool_index, std::byte* page) noexcept {
    unpoison(page, page_bytes(pool_index));
    if (pool_index == kSmallPool)
        ::operator delete(page);
    else
        ::munmap(page, page_bytes(pool_index));
}

// Makes one more page, and room in both lists, so that free() and trim() never allocate.
std::byte* PageAllocator::grow(std::size_t pool_index) {
    Pool& pool = pools_[pool_index];
    const std::size_t wanted = std::bit_ceil(pool.total + 1);
    pool.idle.reserve(wanted);
    pool.returned.reserve(wanted);
    std::byte* const page = make_page(pool_index);
    ++pool.total;
    return page;
}

// The lists are stacks, so the lowest `low_water` idle pages are those nobody needed since the last trim().
std::size_t PageAllocator::trim_pool(std::size_t pool_index, std::size_t budget_bytes) {
    Pool& pool = pools_[pool_index];
    const std::size_t bytes = page_bytes(pool_index);
    const std::size_t kept = pool_index == kLargePool ? kKeptIdleBytes / bytes : 0;
    const std::size_t surplus = pool.low_water > kept ? pool.low_water - kept : 0;
    const std::size_t count = std::min(surplus, (budget_bytes + bytes - 1) / bytes);
    const std::span<std::byte*> coldest = std::span(pool.idle).first(count);
    for (std::byte* const page : coldest) {
        if (pool_index == kSmallPool) {
            destroy_page(pool_index, page);
            --pool.total;
        } else {
            ::madvise(page, bytes, MADV_DONTNEED);
            pool.returned.push_back(page);
        }
    }
    pool.idle.erase(pool.idle.begin(), pool.idle.begin() + static_cast<std::ptrdiff_t>(count));
    pool.low_water =
        count < surplus ? pool.low_water - count : pool.idle.size();  // the rest is for the next call
    return count * bytes;
}

}  // namespace evertick::core
