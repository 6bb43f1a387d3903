#include "core/heap_allocator.hpp"

#include <malloc.h>

#include <cstdlib>
#include <limits>
#include <new>

namespace evertick::core {
namespace {

constexpr std::size_t kMallocAlignment = alignof(std::max_align_t);

ArrayBlock measured(void* data) {
    if (data == nullptr) throw std::bad_alloc();
    return {data, ::malloc_usable_size(data)};
}

std::size_t rounded_up(std::size_t size_bytes, std::size_t alignment) {
    if (size_bytes > std::numeric_limits<std::size_t>::max() - alignment) throw std::bad_alloc();
    return (size_bytes + alignment - 1) & ~(alignment - 1);
}

}  // namespace

ArrayBlock HeapAllocator::allocate(std::size_t size_bytes, std::size_t alignment) {
    if (alignment <= kMallocAlignment) return measured(std::malloc(size_bytes));
    return measured(std::aligned_alloc(alignment, rounded_up(size_bytes, alignment)));
}

ArrayBlock HeapAllocator::resize(ArrayBlock block, std::size_t size_bytes, std::size_t alignment) {
    if (alignment <= kMallocAlignment) return measured(std::realloc(block.data, size_bytes));
    HeapAllocator heap;
    return resize_by_copy(heap, block, size_bytes, alignment);
}

void HeapAllocator::free(ArrayBlock block, std::size_t /*alignment*/) noexcept { std::free(block.data); }

}  // namespace evertick::core
