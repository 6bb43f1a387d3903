#pragma once
// MemStackAllocator<T>: lets a container of T live on a MemStack, one of the standard library or an Array.
// Growth never frees: the old memory goes when the mark does, so reserve where the size is known.
//
//     MemMark mark(stack);
//     Array<int, MemStackAllocator<int>> found{stack};
//     std::vector<int, MemStackAllocator<int>> others{stack};
//
// The container must be gone, or never touched again, when the mark under which it last grew is popped: do
// not let a container of an outer mark grow under an inner one. An Array that is moved takes its stack along;
// moving a standard container into another one steals its memory only on the same stack, otherwise elements
// are moved. Copy assignment stays on the target's stack.
//
// It has no state but the stack's address. Errors: as MemStack::allocate; count * sizeof(T) overflows:
// std::bad_array_new_length. Threads: as MemStack, one.

#include <cstddef>
#include <type_traits>

#include "core/array_allocator.hpp"
#include "core/mem_stack.hpp"

namespace evertick::core {

template <class T>
class MemStackAllocator {
  public:
    using value_type = T;
    using is_always_equal = std::false_type;
    using propagate_on_container_swap = std::true_type;  // swapping containers of two stacks swaps the stacks

    // Implicit, so that a stack can be given where a container asks for an allocator.
    MemStackAllocator(MemStack& stack = MemStack::this_thread()) noexcept : stack_(&stack) {}
    template <class U>
    MemStackAllocator(const MemStackAllocator<U>& other) noexcept : stack_(&other.stack()) {}

    // --- for standard containers ---

    [[nodiscard]] T* allocate(std::size_t count) {
        return static_cast<T*>(stack_->allocate(array_bytes<T>(count), alignof(T)));
    }
    void deallocate(T*, std::size_t) noexcept {}  // the mark does

    // --- for Array: the contract is that of core/array_allocator.hpp ---

    [[nodiscard]] ArrayBlock allocate(std::size_t size_bytes, std::size_t alignment) {
        return {stack_->allocate(size_bytes, alignment), size_bytes};
    }
    [[nodiscard]] ArrayBlock resize(ArrayBlock block, std::size_t size_bytes, std::size_t alignment) {
        if (size_bytes <= block.size_bytes) return block;  // nothing is given back: keep it all
        return resize_by_copy(*this, block, size_bytes, alignment);
    }
    void free(ArrayBlock, std::size_t) noexcept {}  // the mark does

    MemStack& stack() const { return *stack_; }
    template <class U>
    friend bool operator==(const MemStackAllocator& a, const MemStackAllocator<U>& b) {
        return &a.stack() == &b.stack();
    }

  private:
    MemStack* stack_;
};

static_assert(ArrayAllocator<MemStackAllocator<int>>);

}  // namespace evertick::core
