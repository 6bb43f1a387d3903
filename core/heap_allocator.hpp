#pragma once
// HeapAllocator: Array's memory from malloc. Growth is realloc, which extends a block in place where the
// heap has room behind it and moves a large one (from about 128 KiB) by remapping its pages, without
// copying. Says what malloc really gave (malloc_usable_size), so that no byte of it is wasted.
//
// An alignment above malloc's own is kept: such a block grows by allocating a new one, as realloc would keep
// only malloc's.
//
// The contract is that of core/array_allocator.hpp. Threads: as malloc, from any.

#include <cstddef>

#include "core/array_allocator.hpp"

namespace evertick::core {

// The functions are not inline, and should not be: a compiler that sees malloc's size takes the bytes beyond
// it for an overflow.
struct HeapAllocator {
    [[nodiscard]] static ArrayBlock allocate(std::size_t size_bytes, std::size_t alignment);
    [[nodiscard]] static ArrayBlock resize(ArrayBlock block, std::size_t size_bytes, std::size_t alignment);
    static void free(ArrayBlock block, std::size_t alignment) noexcept;
};

static_assert(ArrayAllocator<HeapAllocator>);

}  // namespace evertick::core
