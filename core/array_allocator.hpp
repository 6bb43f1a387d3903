#pragma once
// What Array asks of the place its memory comes from. An allocator is a small copyable value, empty or a
// pointer to the real thing, with three functions:
//
//     ArrayBlock allocate(size_bytes, alignment);           // at least size_bytes; says how many there are
//     ArrayBlock resize(block, size_bytes, alignment);      // larger or smaller; may move, keeping the bytes
//     void free(block, alignment) noexcept;
//
// requires: size_bytes > 0 and at most PTRDIFF_MAX; alignment is a power of two, the same for one block in
//           all three calls. The size in the block given back is at least what was asked for it and at most
//           what it was said to have: Array rounds down to whole elements.
// errors:   allocate and resize: no memory is std::bad_alloc; the block is then as before
//
// Array calls resize only where elements may be relocated by copying bytes (core/relocate.hpp). An allocator
// that has nothing better returns resize_by_copy(). There are HeapAllocator, InlineAllocator and
// MemStackAllocator<T>.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace evertick::core {

// Raw memory: where it is and how much there is of it.
struct ArrayBlock {
    void* data = nullptr;
    std::size_t size_bytes = 0;
};

template <class Allocator>
concept ArrayAllocator =
    std::copyable<Allocator> && std::is_nothrow_copy_constructible_v<Allocator> &&
    std::is_nothrow_copy_assignable_v<Allocator> &&
    requires(Allocator& allocator, ArrayBlock block, std::size_t size_bytes, std::size_t alignment) {
        { allocator.allocate(size_bytes, alignment) } -> std::same_as<ArrayBlock>;
        { allocator.resize(block, size_bytes, alignment) } -> std::same_as<ArrayBlock>;
        { allocator.free(block, alignment) } noexcept;
    };

// The resize() of an allocator that cannot do it in place.
// cost: one allocation, the smaller size copied
template <class Allocator>
ArrayBlock resize_by_copy(Allocator& allocator, ArrayBlock block, std::size_t size_bytes,
                          std::size_t alignment) {
    const ArrayBlock fresh = allocator.allocate(size_bytes, alignment);
    std::memcpy(fresh.data, block.data, std::min(block.size_bytes, size_bytes));
    allocator.free(block, alignment);
    return fresh;
}

}  // namespace evertick::core
