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
    verify(newest_mark_ == nullptr, "MemStack destroyed under a live MemMark");
    while (block_ != nullptr) pop_block();
    while (page_ != nullptr) pop_page();
    while (spare_ != nullptr) give_back(take_spare());
}

MemStack& MemStack::this_thread() {
    struct ThreadStack : MemStack {
        ~ThreadStack() { newest_mark_ = nullptr; }  // std::exit() under a mark is no error
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
    verify(page_ == nullptr || (page_->body() <= top_ && top_ <= end_ && end_ <= page_->end()),
           "MemStack: the top is within the newest page");
    verify(page_ != nullptr || (top_ == nullptr && end_ == nullptr), "MemStack: no page, no room");
    verify(newest_mark_ != nullptr || (block_ == nullptr && top_ == end_),
           "MemStack: no mark, no block and no room");
    verify(
        newest_mark_ != nullptr || page_ == nullptr || (page_->previous == nullptr && top_ == page_->body()),
        "MemStack: no mark, at most an empty first page");
    verify(spare_bytes_ <= kSpareBytes, "MemStack: spare pages are bounded");
    for (const Page* page = page_; page != nullptr; page = page->previous)
        verify(page->size_bytes == page_bytes_, "MemStack: pages of the chain are of one size");
}

// Also reached by the first allocation without a mark: the stack is empty then and has no room.
void* MemStack::allocate_slow(std::size_t size_bytes, std::size_t alignment) {
    verify(newest_mark_ != nullptr, "MemStack: allocation without a live MemMark");
    if (size_bytes > kMaxRequestBytes || alignment > kMaxRequestBytes) throw std::bad_alloc();
    const std::size_t worst_padding = alignment > alignof(Page) ? alignment - alignof(Page) : 0;
    if (size_bytes + worst_padding > page_bytes_ - sizeof(Page)) return allocate_block(size_bytes, alignment);
    push_page();
    return allocate(size_bytes, alignment);
}

void* MemStack::allocate_block(std::size_t size_bytes, std::size_t alignment) {
    Page* const block = take(sizeof(Page) + size_bytes + alignment - 1);
    block->previous = std::exchange(block_, block);
    std::byte* const memory =
        block->body() + (-std::bit_cast<std::uintptr_t>(block->body()) & (alignment - 1));
    unpoison(memory, size_bytes);
    return memory;
}

void MemStack::push_page() {
    Page* const page = spare_ != nullptr ? take_spare() : take(page_bytes_);
    page->previous = std::exchange(page_, page);
    top_ = page->body();
    end_ = page->end();
}

void MemStack::pop_page() {
    Page* const page = std::exchange(page_, page_->previous);
    spoil(page->body(), static_cast<std::size_t>(top_ - page->body()));
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
    spoil(block->body(), static_cast<std::size_t>(block->end() - block->body()));
    give_back(block);
}

// The mark is older than the newest page or block. A mark from before the first page leaves that page, empty.
void MemStack::release_since(const MemMark& mark) {
    while (block_ != mark.block_) pop_block();
    while (page_ != mark.page_ && page_->previous != nullptr) pop_page();
    std::byte* const top = mark.top_ != nullptr || page_ == nullptr ? mark.top_ : page_->body();
    if (top_ != top) spoil(top, static_cast<std::size_t>(top_ - top));
    top_ = top;
    if (newest_mark_ == nullptr)
        close();
    else
        open();
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
