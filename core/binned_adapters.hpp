#pragma once
// The bins as others want them: for Array, for standard containers, for std::pmr. All three use
// BinnedAllocator::process(), hold nothing and may be used from any thread.
//
//     Array<int, BinnedArrayAllocator> numbers;                       // grows in place where it can
//     std::map<int, int, std::less<>, BinnedStdAllocator<std::pair<const int, int>>> tree;
//     std::pmr::vector<int> values(&binned_resource());

#include <cstddef>
#include <limits>
#include <memory_resource>
#include <new>
#include <type_traits>

#include "core/array_allocator.hpp"
#include "core/binned_allocator.hpp"

namespace evertick::core {

// Growth within a cell is free; a run grows into free pages behind it; otherwise the bytes are copied.
struct BinnedArrayAllocator {
    [[nodiscard]] static ArrayBlock allocate(std::size_t size_bytes, std::size_t alignment) {
        return {BinnedAllocator::process().allocate(size_bytes, alignment),
                BinnedAllocator::usable_bytes(size_bytes, alignment)};
    }
    [[nodiscard]] static ArrayBlock resize(ArrayBlock block, std::size_t size_bytes, std::size_t alignment) {
        BinnedAllocator& bins = BinnedAllocator::process();
        if (bins.resize_in_place(block.data, block.size_bytes, size_bytes, alignment))
            return {block.data, BinnedAllocator::usable_bytes(size_bytes, alignment)};
        BinnedArrayAllocator self;
        return resize_by_copy(self, block, size_bytes, alignment);
    }
    static void free(ArrayBlock block, std::size_t alignment) noexcept {
        BinnedAllocator::process().free(block.data, block.size_bytes, alignment);
    }
};

static_assert(ArrayAllocator<BinnedArrayAllocator>);

// errors: count * sizeof(T) overflows: std::bad_array_new_length
template <class T>
struct BinnedStdAllocator {
    using value_type = T;
    using is_always_equal = std::true_type;

    BinnedStdAllocator() = default;
    template <class U>
    BinnedStdAllocator(const BinnedStdAllocator<U>&) noexcept {}

    [[nodiscard]] T* allocate(std::size_t count) {
        if (count > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T)) throw std::bad_array_new_length();
        return static_cast<T*>(BinnedAllocator::process().allocate(count * sizeof(T), kAlignment));
    }
    void deallocate(T* memory, std::size_t count) noexcept {
        BinnedAllocator::process().free(memory, count * sizeof(T), kAlignment);
    }
    friend bool operator==(BinnedStdAllocator, BinnedStdAllocator) { return true; }

  private:
    static constexpr std::size_t kAlignment = alignof(T) > kCellAlignment ? alignof(T) : kCellAlignment;
};

// Lives for ever.
std::pmr::memory_resource& binned_resource();

}  // namespace evertick::core
