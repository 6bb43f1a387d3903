#pragma once
// MemStackAllocator<T>: lets a standard container live on a MemStack. Growth never frees: the old memory
// goes when the mark does, so reserve where the size is known.
//
//     MemMark mark(stack);
//     std::vector<int, MemStackAllocator<int>> found{stack};
//
// The container must be gone, or never touched again, when the mark under which it last grew is popped: do
// not let a container of an outer mark grow under an inner one. Moving a container into another one steals
// its memory only on the same stack, otherwise elements are moved. Errors: as MemStack::allocate; count *
// sizeof(T) overflows: std::bad_array_new_length.

#include <cstddef>
#include <type_traits>

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

    [[nodiscard]] T* allocate(std::size_t count) {
        return static_cast<T*>(stack_->allocate(array_bytes<T>(count), alignof(T)));
    }
    void deallocate(T*, std::size_t) noexcept {}  // the mark does

    MemStack& stack() const { return *stack_; }
    template <class U>
    friend bool operator==(const MemStackAllocator& a, const MemStackAllocator<U>& b) {
        return &a.stack() == &b.stack();
    }

  private:
    MemStack* stack_;
};

}  // namespace evertick::core
