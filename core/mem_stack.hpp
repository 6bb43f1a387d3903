#pragma once
// MemStack: memory for things that die together. Allocating aligns and bumps a pointer; a MemMark remembers
// the top, and when it goes everything allocated since is gone at once. One per thread is ready to use
// (MemStack::this_thread()); it is what a tick or a command takes its scratch from.
//
//     MemMark mark(stack);
//     std::span<Entity> found = new_array<Entity>(stack, count);
//     ...                                          // no free: the mark does it
//
// It is not for memory that outlives the scope that asked for it, nor for objects whose destructor matters:
// none is run (see "typed allocation" below).
//
// Invariants: every allocation is under a live mark; marks are popped newest first. Breaking either is our
//             bug and aborts with a message (verify). Without a live mark the stack holds nothing but its
//             first page and up to kSpareBytes of spare ones, so a loop of marks costs no lock and no fault.
// Requests that fit no page get a block of their own beside the chain of pages; the page in use stays.
// Popped memory is filled with 0xDD in debug builds and poisoned under AddressSanitizer.
// Cost:    allocate O(1), no call when the page has room; pop O(pages and blocks released).
// Errors:  no memory, or a size no machine has, is std::bad_alloc; the stack is as before.
// Threads: one at a time. Neither copied nor moved: marks point to it.

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "core/page_allocator.hpp"
#include "core/poison.hpp"
#include "core/verify.hpp"

namespace evertick::core {

class MemMark;

class MemStack {
  public:
    static constexpr std::size_t kDefaultAlignment = alignof(std::max_align_t);
    static constexpr std::size_t kSpareBytes = std::size_t{2} << 20;

    // Large pages by default, 64 GiB of them at most; small ones, 1 GiB, for a stack that seldom holds more
    // than a few hundred bytes.
    explicit MemStack(PageAllocator& pages = PageAllocator::process(), PageSize page_size = PageSize::large);
    // requires: no live mark (verified)
    ~MemStack();
    MemStack(const MemStack&) = delete;
    MemStack& operator=(const MemStack&) = delete;

    // This thread's own, made at first use; its pages go back when the thread ends.
    static MemStack& this_thread();

    // Returns uninitialised memory; a request for 0 bytes gets an address of its own too.
    // requires: a live mark; alignment is a power of two (both verified)
    [[nodiscard]] void* allocate(std::size_t size_bytes, std::size_t alignment = kDefaultAlignment) {
        verify(std::has_single_bit(alignment), "MemStack: the alignment is not a power of two");
        if (size_bytes == 0) size_bytes = 1;
        std::byte* const memory = top_ + padding(top_, alignment);  // not beyond end_, which is aligned too
        if (alignment > kPageAlignment || size_bytes > static_cast<std::size_t>(end_ - memory)) [[unlikely]]
            return allocate_slow(size_bytes, alignment);
        top_ = memory + size_bytes;
        unpoison(memory, size_bytes);
        return memory;
    }
    // The same with every byte 0, or 0xFF (-1 in every integer, NaN in every float).
    [[nodiscard]] void* allocate_zeroed(std::size_t size_bytes, std::size_t alignment = kDefaultAlignment);
    [[nodiscard]] void* allocate_ones(std::size_t size_bytes, std::size_t alignment = kDefaultAlignment);

    // Whether a mark is live, and so allocation allowed.
    bool has_mark() const { return live_marks(counts_) > 0; }
    // Pages and blocks held, the spare one too, in bytes. cost: O(pages and blocks)
    std::size_t held_bytes() const;
    // Aborts unless the invariants hold. cost: O(pages and blocks)
    void check_invariants() const;

  private:
    friend class MemMark;

    static constexpr std::size_t kPageAlignment = static_cast<std::size_t>(PageSize::small);  // of any page

    // Stands at the start of each page and block; what is handed out follows it.
    struct alignas(kDefaultAlignment) Page {
        Page* previous;
        std::size_t size_bytes;  // with this header

        std::byte* body() { return reinterpret_cast<std::byte*>(this + 1); }
        std::byte* end() { return reinterpret_cast<std::byte*>(this) + size_bytes; }
    };

    // How many marks are live, and pages and blocks in use, in one number: one comparison tells a mark that
    // it is the newest and that no page or block was taken since.
    using Counts = std::uint64_t;
    static constexpr Counts kMark = 1;
    static constexpr Counts kPage = Counts{1} << 24;
    static constexpr Counts kBlock = Counts{1} << 44;
    static constexpr Counts kMaxPages = kBlock - kPage;
    static constexpr Counts kMaxBlocks = ~(kBlock - 1);
    static constexpr Counts live_marks(Counts counts) { return counts & (kPage - 1); }
    static constexpr Counts pages(Counts counts) { return counts & kMaxPages; }
    static constexpr Counts blocks(Counts counts) { return counts & kMaxBlocks; }

    static std::size_t padding(const std::byte* address, std::size_t alignment) {
        return (0 - std::bit_cast<std::uintptr_t>(address)) & (alignment - 1);
    }
    void* allocate_slow(std::size_t size_bytes, std::size_t alignment);
    void* allocate_aligned(std::size_t size_bytes, std::size_t alignment);
    void* allocate_block(std::size_t size_bytes, std::size_t alignment);
    void push_page();
    Page* take_spare();
    void pop_page();
    void pop_block();
    void release_since(Counts counts, std::byte* top);
    Page* take(std::size_t size_bytes);
    void give_back(Page* page);

    std::byte* top_ = nullptr;  // of the newest page; without a mark its end: allocate() then has no room
    std::byte* end_ = nullptr;  // of the newest page, a multiple of kPageAlignment; null without a page
    Counts counts_ = 0;
    std::byte* first_top_ = nullptr;  // where the oldest mark begins: in the oldest page
    Page* page_ = nullptr;            // the newest page, linked to the older ones
    Page* block_ = nullptr;           // the newest block of a large request
    Page* spare_ = nullptr;           // pages kept for the next time they are needed
    std::size_t spare_bytes_ = 0;
    PageAllocator& pages_;
    const std::size_t page_bytes_;
};

// A scope on a MemStack: gives back everything allocated since it was made. Neither copied nor moved.
// Its functions are inline even where an exception passes by, and hand out no address of it: so the compiler
// may keep a mark in registers.
class [[nodiscard]] MemMark {
  public:
    explicit MemMark(MemStack& stack = MemStack::this_thread())
        : stack_(&stack), counts_(stack.counts_ + MemStack::kMark), top_(stack.top_) {
        stack.counts_ = counts_;
        if (is_oldest()) stack.top_ = stack.first_top_;
    }
    [[gnu::always_inline]] ~MemMark() { pop(); }
    MemMark(const MemMark&) = delete;
    MemMark& operator=(const MemMark&) = delete;

    // Ends the scope early; a second call, and the destructor then, do nothing.
    // requires: marks made later are popped already (verified)
    [[gnu::always_inline]] void pop() {
        if (stack_ != nullptr) pop_from(*std::exchange(stack_, nullptr));
    }

  private:
    bool is_oldest() const { return MemStack::live_marks(counts_) == 1; }
    [[gnu::always_inline]] void pop_from(MemStack& stack) const {
        if (stack.counts_ != counts_) [[unlikely]]
            return stack.release_since(counts_, top_);
        std::byte* const begin = is_oldest() ? stack.first_top_ : top_;
        if (stack.top_ != begin) spoil(begin, static_cast<std::size_t>(stack.top_ - begin));
        stack.counts_ = counts_ - MemStack::kMark;
        stack.top_ = top_;
    }

    MemStack* stack_;  // null when popped
    MemStack::Counts counts_;
    std::byte* top_;  // where it was before
};

// --- typed allocation -----------------------------------------------------------------------------
// Spans and objects that live until the mark goes. No destructor will run, so only types that need none
// are taken; for another type say so by name: ..._never_destroyed.
// requires: as MemStack::allocate      errors: count * sizeof(T) overflows: std::bad_array_new_length

// The memory of `count` elements, in bytes.
template <class T>
constexpr std::size_t array_bytes(std::size_t count) {
    constexpr std::size_t kSize = sizeof(T);  // NOLINT(bugprone-sizeof-expression): T may well be a pointer
    if (count > std::numeric_limits<std::size_t>::max() / kSize) throw std::bad_array_new_length();
    return count * kSize;
}

template <class T>
concept NeedsNoDestructor = std::is_trivially_destructible_v<T>;

// Any bytes are a value of it, or at least may stand where one will be assigned.
template <class T>
concept PlainBytes = std::is_trivially_copyable_v<T>;

// Default-initialised: numbers and plain structs hold anything, member initialisers do their work.
template <class T>
[[nodiscard]] std::span<T> new_array_never_destroyed(MemStack& stack, std::size_t count) {
    T* const items = static_cast<T*>(stack.allocate(array_bytes<T>(count), alignof(T)));
    std::uninitialized_default_construct_n(items, count);
    return {items, count};
}
template <NeedsNoDestructor T>
[[nodiscard]] std::span<T> new_array(MemStack& stack, std::size_t count) {
    return new_array_never_destroyed<T>(stack, count);
}

// Every byte 0; no constructor runs.
template <PlainBytes T>
[[nodiscard]] std::span<T> new_zeroed(MemStack& stack, std::size_t count) {
    return {static_cast<T*>(stack.allocate_zeroed(array_bytes<T>(count), alignof(T))), count};
}
// Every byte 0xFF; no constructor runs.
template <PlainBytes T>
[[nodiscard]] std::span<T> new_ones(MemStack& stack, std::size_t count) {
    return {static_cast<T*>(stack.allocate_ones(array_bytes<T>(count), alignof(T))), count};
}

template <class T, class... Args>
[[nodiscard]] T& new_object_never_destroyed(MemStack& stack, Args&&... args) {
    T* const object = static_cast<T*>(stack.allocate(sizeof(T), alignof(T)));
    return *std::construct_at(object, std::forward<Args>(args)...);
}
template <NeedsNoDestructor T, class... Args>
[[nodiscard]] T& new_object(MemStack& stack, Args&&... args) {
    return new_object_never_destroyed<T>(stack, std::forward<Args>(args)...);
}

}  // namespace evertick::core
