// Linked into a program (evertick::operator_new), makes every new and delete of it, and so every container
// and library in C++, use BinnedAllocator::process(). Not for builds with a sanitizer: theirs checks more.

#include <cstddef>
#include <new>

#include "core/binned_allocator.hpp"

namespace {

using evertick::core::BinnedAllocator;

void* allocate(std::size_t size, std::size_t alignment) {
    return BinnedAllocator::process().allocate(size, alignment);
}

void* allocate_or_null(std::size_t size, std::size_t alignment) noexcept {
    try {
        return allocate(size, alignment);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

constexpr std::size_t kDefault = evertick::core::kCellAlignment;
static_assert(kDefault == __STDCPP_DEFAULT_NEW_ALIGNMENT__);

std::size_t at_least_default(std::align_val_t alignment) {
    return static_cast<std::size_t>(alignment) < kDefault ? kDefault : static_cast<std::size_t>(alignment);
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size, kDefault); }
void* operator new[](std::size_t size) { return allocate(size, kDefault); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate(size, at_least_default(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return allocate(size, at_least_default(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return allocate_or_null(size, kDefault);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return allocate_or_null(size, kDefault);
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return allocate_or_null(size, at_least_default(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return allocate_or_null(size, at_least_default(alignment));
}

void operator delete(void* memory) noexcept { BinnedAllocator::process().free(memory); }
void operator delete[](void* memory) noexcept { BinnedAllocator::process().free(memory); }
void operator delete(void* memory, std::size_t size) noexcept {
    BinnedAllocator::process().free(memory, size);
}
void operator delete[](void* memory, std::size_t size) noexcept {
    BinnedAllocator::process().free(memory, size);
}
void operator delete(void* memory, std::align_val_t) noexcept { BinnedAllocator::process().free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { BinnedAllocator::process().free(memory); }
void operator delete(void* memory, std::size_t size, std::align_val_t alignment) noexcept {
    BinnedAllocator::process().free(memory, size, at_least_default(alignment));
}
void operator delete[](void* memory, std::size_t size, std::align_val_t alignment) noexcept {
    BinnedAllocator::process().free(memory, size, at_least_default(alignment));
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
    BinnedAllocator::process().free(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
    BinnedAllocator::process().free(memory);
}
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
    BinnedAllocator::process().free(memory);
}
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
    BinnedAllocator::process().free(memory);
}
