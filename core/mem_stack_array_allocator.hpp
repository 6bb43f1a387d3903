#pragma once
// MemStackArrayAllocator: an Array that lives on a MemStack. Growth never frees: the memory left behind goes
// when the mark does, so reserve where the size is known.
//
//     MemMark mark(stack);
//     Array<Entity, MemStackArrayAllocator> found{stack};
//
// As for standard containers (core/mem_stack_allocator.hpp) the array must be gone, or never touched again,
// when the mark under which it last grew is popped. Moving an array takes its stack along; copy assignment
// stays on the target's.
//
// The contract is that of core/array_allocator.hpp. Threads: as MemStack, one.

#include <cstddef>

#include "core/array_allocator.hpp"
#include "core/mem_stack.hpp"

namespace evertick::core {

class MemStackArrayAllocator {
  public:
    // Implicit, so that a stack can be given where an Array asks for an allocator.
    MemStackArrayAllocator(MemStack& stack = MemStack::this_thread()) noexcept : stack_(&stack) {}

    [[nodiscard]] ArrayBlock allocate(std::size_t size_bytes, std::size_t alignment) {
        return {stack_->allocate(size_bytes, alignment), size_bytes};
    }
    [[nodiscard]] ArrayBlock resize(ArrayBlock block, std::size_t size_bytes, std::size_t alignment) {
        if (size_bytes <= block.size_bytes) return block;  // nothing is given back: keep it all
        return resize_by_copy(*this, block, size_bytes, alignment);
    }
    void free(ArrayBlock, std::size_t) noexcept {}  // the mark does

    MemStack& stack() const { return *stack_; }

  private:
    MemStack* stack_;
};

static_assert(ArrayAllocator<MemStackArrayAllocator>);

}  // namespace evertick::core
