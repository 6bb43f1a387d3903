#include "core/mem_stack.hpp"

#include <algorithm>
#include <cstring>

namespace evertick::core {

namespace {

// Beyond this no page exists; below it no sum of a size, an alignment and a header overflows.
constexpr std::size_t kMaxRequestBytes = std::size_t{1} << 60;

}  // namespace

MemStack::MemStack(PageAllocator& pages, PageSize page_size)
    : pages_(pages), page_bytes_(std::to_underlying(page_size)) {}

MemStack::~MemStack() {
    verify(!has_mark(), "MemStack destroyed under a live MemMark");
    while (block_ != nullptr) pop_block();
    while (page_ != nullptr) pop_page();
    while (spare_ != nullptr) give_back(take_spare());
}

MemStack& MemStack::this_thread() {
    struct ThreadStack : MemStack {
        ~ThreadStack() { counts_ -= live_marks(counts_); }  // std::exit() under a mark is no error
    };
    thread_local ThreadStack stack;
    return stack;
}

void* MemStack::allocate_zeroed(std::size_t size_bytes, std::size_t alignment) {
    return std::memset(allocate(size_bytes, alignment), 0, size_bytes);
}

void* MemStack::allocate_ones(std::size_t size_bytes, std::size_t alignment) {
    return std::memset(allocate(size_bytes, alignment), 0xFF, size_bytes);
}

std::size_t MemStack::held_bytes() const {
    std::size_t total = spare_bytes_;
    for (const Page* page = page_; page != nullptr; page = page->previous) total += page->size_bytes;
    for (const Page* block = block_; block != nullptr; block = block->previous) total += block->size_bytes;
    return total;
}

void MemStack::check_invariants() const {
    Counts held = live_marks(counts_);
    for (const Page* page = page_; page != nullptr; page = page->previous, held += kPage)
        verify(page->size_bytes == page_bytes_, "MemStack: pages of the chain are of one size");
    for (const Page* block = block_; block != nullptr; block = block->previous) held += kBlock;
    verify(held == counts_, "MemStack: every page and block is counted");
    verify(end_ == (page_ == nullptr ? nullptr : page_->end()) && padding(end_, kPageAlignment) == 0,
           "MemStack: the end is that of the newest page, and aligned as a page is");
    verify(top_ <= end_ && (page_ == nullptr || page_->body() <= top_),
           "MemStack: the top is within the page");
    verify((first_top_ == nullptr) == (page_ == nullptr),
           "MemStack: the oldest mark begins in the oldest page");
    verify(has_mark() || (counts_ <= kPage && top_ == end_),
           "MemStack: no mark, at most an empty page and no room");
    verify(spare_bytes_ <= kSpareBytes, "MemStack: spare pages are bounded");
}

// Also reached by the first allocation without a mark: the stack has no room then.
void* MemStack::allocate_slow(std::size_t size_bytes, std::size_t alignment) {
    verify(has_mark(), "MemStack: allocation without a live MemMark");
    if (size_bytes > kMaxRequestBytes || alignment > kMaxRequestBytes) throw std::bad_alloc();
    if (void* const memory = allocate_aligned(size_bytes, alignment)) return memory;
    const std::size_t worst_padding = alignment > alignof(Page) ? alignment - alignof(Page) : 0;
    if (size_bytes + worst_padding > page_bytes_ - sizeof(Page)) return allocate_block(size_bytes, alignment);
    push_page();
    return allocate(size_bytes, alignment);
}

// What allocate() leaves out: alignments beyond the page's own. Returns nullptr when there is no room for it.
void* MemStack::allocate_aligned(std::size_t size_bytes, std::size_t alignment) {
    const std::size_t gap = padding(top_, alignment);
    const auto room = static_cast<std::size_t>(end_ - top_);
    if (gap > room || size_bytes > room - gap) return nullptr;
    std::byte* const memory = top_ + gap;
    top_ = memory + size_bytes;
    unpoison(memory, size_bytes);
    return memory;
}

void* MemStack::allocate_block(std::size_t size_bytes, std::size_t alignment) {
    if (blocks(counts_) == kMaxBlocks) throw std::bad_alloc();
    Page* const block = take(sizeof(Page) + size_bytes + alignment - 1);
    block->previous = std::exchange(block_, block);
    counts_ += kBlock;
    std::byte* const memory = block->body() + padding(block->body(), alignment);
    unpoison(memory, size_bytes);
    return memory;
}

void MemStack::push_page() {
    if (pages(counts_) == kMaxPages) throw std::bad_alloc();
    Page* const page = spare_ != nullptr ? take_spare() : take(page_bytes_);
    page->previous = std::exchange(page_, page);
    if (page->previous == nullptr) first_top_ = page->body();
    counts_ += kPage;
    top_ = page->body();
    end_ = page->end();
}

void MemStack::pop_page() {
    Page* const page = std::exchange(page_, page_->previous);
    spoil(page->body(), static_cast<std::size_t>(top_ - page->body()));
    if (page_ == nullptr) first_top_ = nullptr;
    counts_ -= kPage;
    top_ = end_ = page_ == nullptr ? nullptr : page_->end();  // the older page is taken for full
    if (spare_bytes_ + page_bytes_ > kSpareBytes) return give_back(page);
    page->previous = std::exchange(spare_, page);
    spare_bytes_ += page_bytes_;
}

MemStack::Page* MemStack::take_spare() {
    spare_bytes_ -= page_bytes_;
    return std::exchange(spare_, spare_->previous);
}

void MemStack::pop_block() {
    Page* const block = std::exchange(block_, block_->previous);
    counts_ -= kBlock;
    spoil(block->body(), static_cast<std::size_t>(block->end() - block->body()));
    give_back(block);
}

// For a mark with these counts, made at this top: it is not the newest, or pages or blocks were taken since.
// The first page stays, empty, for the next mark.
void MemStack::release_since(Counts marked, std::byte* marked_top) {
    verify(live_marks(counts_) == live_marks(marked),
           "MemMark popped out of order: a newer one on its stack is still live");
    while (blocks(counts_) != blocks(marked)) pop_block();
    while (pages(counts_) != pages(marked) && page_->previous != nullptr) pop_page();
    const bool is_oldest = live_marks(marked) == kMark;
    std::byte* const begin = is_oldest || marked_top == nullptr ? first_top_ : marked_top;
    if (top_ != begin) spoil(begin, static_cast<std::size_t>(top_ - begin));
    top_ = is_oldest ? end_ : begin;
    counts_ -= kMark;
}

// A page or block of at least that size, its body not to be touched yet.
MemStack::Page* MemStack::take(std::size_t size_bytes) {
    const std::span<std::byte> memory = pages_.allocate(size_bytes);
    Page* const page = new (memory.data()) Page{nullptr, memory.size()};
    poison(page->body(), static_cast<std::size_t>(page->end() - page->body()));
    return page;
}

void MemStack::give_back(Page* page) { pages_.free({reinterpret_cast<std::byte*>(page), page->size_bytes}); }

}  // namespace evertick::core
