#pragma once
// InlineAllocator<N>: the first N elements of an Array live inside the Array itself. Up to there it asks for
// no memory; the (N + 1)th element moves them all to the fallback allocator, and shrink_to_fit moves them
// back in when they fit again.
//
//     Array<Entity, InlineAllocator<8>> neighbours;       // eight without a heap
//
// For arrays that are nearly always small. The room is there whether used or not, moving such an array moves
// the elements that are inside, and references into it do not follow the move.
//
// The memory is Array's own member: this type is the fallback allocator with a number. Threads: as fallback.

#include <cstddef>

#include "core/array_allocator.hpp"
#include "core/binned_adapters.hpp"

namespace evertick::core {

template <std::size_t Count, ArrayAllocator Fallback = BinnedArrayAllocator>
struct InlineAllocator : Fallback {
    static constexpr std::size_t kInlineCount = Count;

    using Fallback::Fallback;
};

// How many elements an Array of this allocator keeps inside: 0 for all but InlineAllocator.
template <class Allocator>
inline constexpr std::size_t kInlineCountOf = 0;
template <class Allocator>
    requires requires { Allocator::kInlineCount; }
inline constexpr std::size_t kInlineCountOf<Allocator> = Allocator::kInlineCount;

// Raw memory for the elements inside; of no size, and nowhere, for none.
template <class T, std::size_t Count>
class InlineItems {
  public:
    T* data() { return reinterpret_cast<T*>(bytes_); }
    const T* data() const { return reinterpret_cast<const T*>(bytes_); }

  private:
    alignas(T) std::byte bytes_[Count * sizeof(T)];
};
template <class T>
class InlineItems<T, 0> {
  public:
    static T* data() { return nullptr; }
};

}  // namespace evertick::core
