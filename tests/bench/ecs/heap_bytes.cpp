#include "tests/bench/ecs/heap_bytes.hpp"

#include <malloc.h>

#include <cstdlib>
#include <new>

#include "core/binned_allocator.hpp"

namespace {

std::size_t live_bytes = 0;  // the program has one thread

void* counted(void* memory) {
    if (memory == nullptr) throw std::bad_alloc();
    live_bytes += malloc_usable_size(memory);
    return memory;
}
void uncounted(void* memory) {
    live_bytes -= malloc_usable_size(memory);  // 0 for nullptr
    std::free(memory);
}

}  // namespace

std::size_t evertick::bench::live_heap_bytes() {
    return live_bytes + evertick::core::BinnedAllocator::process().stats().live_bytes();
}

void* operator new(std::size_t size) { return counted(std::malloc(size == 0 ? 1 : size)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    const auto unit = static_cast<std::size_t>(alignment);
    return counted(std::aligned_alloc(unit, (size + unit - 1) / unit * unit));
}
void operator delete(void* memory) noexcept { uncounted(memory); }
void operator delete(void* memory, std::size_t) noexcept { uncounted(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { uncounted(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { uncounted(memory); }
