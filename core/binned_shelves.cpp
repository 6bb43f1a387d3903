// BinnedAllocator: each thread's shelves, from its first allocation to its end.

#include <algorithm>
#include <mutex>
#include <new>

#include "core/binned_allocator.hpp"
#include "core/verify.hpp"

namespace evertick::core {

namespace detail {
constinit ThreadCache no_cache;
}

// Closes the thread's cache when the thread ends. After that its last frees go straight to the bins.
struct CacheOfThread {
    detail::ThreadCache* cache = nullptr;
    bool closed = false;

    ~CacheOfThread() {
        closed = true;
        if (cache != nullptr) BinnedAllocator::process().close_cache(cache);
    }
};

namespace {
thread_local CacheOfThread cache_of_thread;
}

// Returns this thread's cache, made at first use; nullptr once the thread is ending, and while there is no
// memory for it: a thread must be able to free then.
detail::ThreadCache* BinnedAllocator::open_cache() noexcept {
    if (cache_of_thread.closed || cache_of_thread.cache != nullptr) return cache_of_thread.cache;
    std::byte* page = nullptr;
    try {
        page = static_cast<std::byte*>(pages_.allocate());
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
    auto* const cache = new (page) detail::ThreadCache;
    void** cells = reinterpret_cast<void**>(page + sizeof(detail::ThreadCache));
    for (std::size_t bin = 0; bin < kBins; ++bin) {
        cache->shelves[bin].cells = cells;
        cache->shelves[bin].capacity = static_cast<std::uint32_t>(
            std::clamp<std::size_t>(kShelfBytes / kCellBytes[bin], 2, kShelfCells));
        cells += cache->shelves[bin].capacity;
    }
    verify(reinterpret_cast<std::byte*>(cells) <= page + kBinPageBytes, "a thread's shelves fit one page");
    const std::lock_guard lock(caches_mutex_);
    cache->next = caches_;
    if (caches_ != nullptr) caches_->previous = cache;
    caches_ = cache;
    ++cache_count_;
    cache_of_thread.cache = detail::this_threads_cache = cache;
    return cache;
}

void BinnedAllocator::close_cache(detail::ThreadCache* cache) noexcept {
    flush(*cache);
    detail::this_threads_cache = &detail::no_cache;
    cache_of_thread.cache = nullptr;
    const std::lock_guard lock(caches_mutex_);
    if (cache->next != nullptr) cache->next->previous = cache->previous;
    (cache->previous != nullptr ? cache->previous->next : caches_) = cache->next;
    --cache_count_;
    other_allocations_ += cache->allocations.load(std::memory_order_relaxed);
    pages_.free(cache);
}

void BinnedAllocator::flush(detail::ThreadCache& cache) noexcept {
    for (std::size_t bin = 0; bin < kBins; ++bin) {
        detail::Shelf& shelf = cache.shelves[bin];
        const std::lock_guard lock(bins_[bin].mutex);
        put_cells(bin, {shelf.cells, shelf.count});
        shelf.count = 0;
    }
}

}  // namespace evertick::core
