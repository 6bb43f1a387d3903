#include "core/page_allocator.hpp"

#include <pthread.h>

#include <bit>
#include <limits>
#include <new>

#include "core/poison.hpp"
#include "core/verify.hpp"

namespace evertick::core {

namespace {

constexpr std::uint64_t kAllFree = ~std::uint64_t{0};

}  // namespace

PageAllocator& PageAllocator::process() {
    alignas(PageAllocator) static std::byte storage[sizeof(PageAllocator)];
    static PageAllocator* const immortal = [] {
        auto* const allocator = new (storage) PageAllocator;
        // Registered after the page source's, so run before it: this is locked before the source.
        ::pthread_atfork([] { process().mutex_.lock(); }, [] { process().mutex_.unlock(); },
                         [] { process().mutex_.unlock(); });
        return allocator;
    }();
    return *immortal;
}

// Made before main(): a child of fork() would wait for ever for one that another thread was just making.
[[maybe_unused]] static const PageAllocator& page_allocator_made_early = PageAllocator::process();

PageAllocator::PageAllocator(PageSource& source)
    : source_(source), hosts_with_room_(source.page_limit()), free_parts_(source.page_limit()) {}

PageAllocator::~PageAllocator() {
    verify(stats_.pages() == 0, "PageAllocator destroyed while pages are in use");
}

std::span<std::byte> PageAllocator::allocate(std::size_t size_bytes) {
    if (size_bytes <= kSmallBytes) return {allocate_small(), kSmallBytes};
    if (size_bytes > std::numeric_limits<std::ptrdiff_t>::max()) throw std::bad_alloc();
    const std::size_t count = (size_bytes + kLargeBytes - 1) / kLargeBytes;
    auto* const page = static_cast<std::byte*>(source_.allocate(count));
    const std::lock_guard lock(mutex_);
    (count == 1 ? stats_.large_pages : stats_.block_pages) += count;
    return {page, count * kLargeBytes};
}

void PageAllocator::free(std::span<std::byte> page) noexcept {
    if (page.size() == kSmallBytes) return free_small(page.data());
    const std::size_t count = page.size() / kLargeBytes;
    verify(page.size() % kLargeBytes == 0 && count > 0, "PageAllocator::free: no page has this size");
    {
        const std::lock_guard lock(mutex_);
        std::size_t& held = count == 1 ? stats_.large_pages : stats_.block_pages;
        verify(held >= count, "PageAllocator::free: no page of this size is in use");
        held -= count;
    }
    source_.free(page.data(), count);
}

std::byte* PageAllocator::allocate_small() {
    const std::lock_guard lock(mutex_);
    if (hosts_with_room_.empty()) {
        void* const host = source_.allocate();
        poison(host, kLargeBytes);
        free_parts_[source_.page_number(host)] = kAllFree;
        hosts_with_room_.insert(source_.page_number(host));
        ++stats_.small_page_hosts;
    }
    const std::size_t host = hosts_with_room_.lowest();
    const auto part = static_cast<std::size_t>(std::countr_zero(free_parts_[host]));
    free_parts_[host] &= free_parts_[host] - 1;
    if (free_parts_[host] == 0) hosts_with_room_.erase(host);
    ++stats_.small_pages;
    std::byte* const page = static_cast<std::byte*>(source_.page(host)) + part * kSmallBytes;
    unpoison(page, kSmallBytes);
    return page;
}

void PageAllocator::free_small(std::byte* page) noexcept {
    verify(source_.owns(page), "PageAllocator::free: the page is none of its own");
    const std::size_t host = source_.page_number(page);
    const auto offset = static_cast<std::size_t>(page - static_cast<std::byte*>(source_.page(host)));
    const std::uint64_t part = std::uint64_t{1} << offset / kSmallBytes;
    poison(page, kSmallBytes);
    const std::lock_guard lock(mutex_);
    verify(stats_.small_pages > 0 && offset % kSmallBytes == 0 && (free_parts_[host] & part) == 0,
           "PageAllocator::free: no page of this size is in use there");
    free_parts_[host] |= part;
    --stats_.small_pages;
    hosts_with_room_.insert(host);
    if (free_parts_[host] != kAllFree) return;
    hosts_with_room_.erase(host);
    --stats_.small_page_hosts;
    source_.free(source_.page(host));
}

PageStats PageAllocator::stats() const {
    const std::lock_guard lock(mutex_);
    return stats_;
}

void PageAllocator::check_invariants() const {
    const std::lock_guard lock(mutex_);
    hosts_with_room_.check_invariants();
    std::size_t free_parts = 0;
    for (std::size_t host = hosts_with_room_.next(0); host != NumberSet::kNone;
         host = hosts_with_room_.next(host + 1)) {
        verify(free_parts_[host] != 0 && free_parts_[host] != kAllFree,
               "PageAllocator: a host with room is neither full nor empty");
        free_parts += static_cast<std::size_t>(std::popcount(free_parts_[host]));
    }
    verify(stats_.small_pages + free_parts == stats_.small_page_hosts * 64,
           "PageAllocator: every small page is counted");
}

}  // namespace evertick::core
