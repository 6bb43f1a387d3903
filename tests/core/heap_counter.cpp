#include "tests/core/heap_counter.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

#include "core/binned_allocator.hpp"

namespace {

std::atomic<std::size_t> allocations = 0;
std::atomic<std::size_t> failing = 0;  // which one to come is to fail; 0: none
std::atomic<bool> failed = false;

void* counted(void* memory) {
    allocations.fetch_add(1, std::memory_order_relaxed);
    if (failing != 0 && --failing == 0) {
        failed = true;
        std::free(memory);
        memory = nullptr;
    }
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

}  // namespace

std::size_t evertick::test::heap_allocations() {
    return allocations.load() + evertick::core::BinnedAllocator::process().allocations();
}

evertick::test::FailingHeap::FailingHeap(std::size_t others) {
    failed = false;
    failing = others + 1;
}
evertick::test::FailingHeap::~FailingHeap() { failing = 0; }
bool evertick::test::FailingHeap::has_failed() { return failed; }

void* operator new(std::size_t size) { return counted(std::malloc(size == 0 ? 1 : size)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    const auto unit = static_cast<std::size_t>(alignment);
    return counted(std::aligned_alloc(unit, (size + unit - 1) / unit * unit));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
