#pragma once
// ArrayStorage<T, Allocator>: the room of an Array: raw memory for capacity() elements, inside the object or
// from the allocator. It knows how to get more, less, or another array's, and takes the elements along; it
// does not know which slots hold elements, so each call is told how many: the first `used`.
// Not for use by itself: its destructor does not run, Array's does the work.
//
// Growth rule: to the most of what is asked for, twice the capacity, and the first block (64 bytes, and four
//              elements up to 1 KiB each); then all that the allocator really gave.
// Errors:      no memory is std::bad_alloc, a count whose size overflows std::bad_array_new_length; these and
//              a constructor of T that throws leave all as it was (see relocate_items).

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include "core/array_allocator.hpp"
#include "core/debug.hpp"
#include "core/inline_allocator.hpp"
#include "core/poison.hpp"
#include "core/relocate.hpp"

namespace evertick::core {

template <class T, ArrayAllocator Allocator>
class ArrayStorage {
  public:
    static constexpr std::size_t kInlineCount = kInlineCountOf<Allocator>;
    static constexpr bool kNothrowMove = kInlineCount == 0 || is_nothrow_relocatable<T>;
    static constexpr std::size_t kMaxCount = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T);
    static constexpr std::size_t kFirstCount = sizeof(T) > 1024 ? 1
                                                                : std::max(std::size_t{4}, 64 / sizeof(T));

    ArrayStorage() = default;
    explicit ArrayStorage(Allocator allocator) noexcept : allocator_(allocator) {}
    ArrayStorage(const ArrayStorage&) = delete;
    ArrayStorage& operator=(const ArrayStorage&) = delete;

    T* data() const { return data_; }
    std::size_t capacity() const { return capacity_; }
    // Whether the memory is the allocator's; otherwise it is the room inside, or nowhere.
    bool has_block() const { return data_ != inline_.data(); }
    const Allocator& allocator() const { return allocator_; }

    // Moves to a block of at least `count` elements, and asks for no more.
    // requires: count >= used, and more than fit inside
    void reallocate(std::size_t count, std::size_t used) {
        if (count > kMaxCount) throw std::bad_array_new_length();
        const std::size_t size_bytes = count * sizeof(T);
        if constexpr (kResizesByValue) return adopt(resized(allocator_, block(), size_bytes));
        if constexpr (is_trivially_relocatable<T>) {
            if (has_block()) return adopt(allocator_.resize(block(), size_bytes, alignof(T)));
        }
        const ArrayBlock fresh = allocator_.allocate(size_bytes, alignof(T));
        try {
            relocate_items(static_cast<T*>(fresh.data), data_, used);
        } catch (...) {
            allocator_.free(fresh, alignof(T));
            throw;
        }
        if (!has_block()) spoil_inside();
        release();
        adopt(fresh);
    }
    // Makes room for `more` elements beyond the used ones, by the growth rule.
    void grow(std::size_t more, std::size_t used) {
        if (more > kMaxCount - used) throw std::bad_array_new_length();
        reallocate(std::max({used + more, std::min(capacity_ * 2, kMaxCount), kFirstCount}), used);
    }
    // Gives back the room that is not used: all of it, when the elements fit inside.
    void shrink(std::size_t used) {
        if (used > kInlineCount) {
            if (used < capacity_) reallocate(used, used);
        } else if (has_block()) {
            if constexpr (kInlineCount > 0) relocate_items(inline_.data(), data_, used);
            release();
        }
    }
    // Takes what `other` holds, with its allocator. Leaves it with the room inside, none of it used.
    // requires: this holds no block
    void take(ArrayStorage& other, std::size_t used) noexcept(kNothrowMove) {
        if (other.has_block()) {
            data_ = std::exchange(other.data_, other.inline_.data());
            capacity_ = std::exchange(other.capacity_, kInlineCount);
        } else if constexpr (kInlineCount > 0) {
            relocate_items(data_, other.data_, used);
            other.spoil_inside();
        }
        allocator_ = other.allocator_;
    }
    // Gives the block back, if there is one. requires: no element in it
    [[gnu::always_inline]] void release() noexcept {
        if (has_block()) allocator_.free(block(), alignof(T));
        data_ = inline_.data();
        capacity_ = kInlineCount;
    }

  private:
    // Where no element is inside the object and bytes are all that moves.
    static constexpr bool kResizesByValue = kInlineCount == 0 && is_trivially_relocatable<T>;

    // Told the block and not the object, so that the compiler may keep an Array that a loop fills in
    // registers.
    [[gnu::noinline]] static ArrayBlock resized(Allocator allocator, ArrayBlock block,
                                                std::size_t size_bytes) {
        return block.data == nullptr ? allocator.allocate(size_bytes, alignof(T))
                                     : allocator.resize(block, size_bytes, alignof(T));
    }
    // What is left inside is not to be read through a stale reference: in debug builds it is overwritten.
    // AddressSanitizer knows nothing of it, since the room is a member like any other.
    void spoil_inside() {
        if constexpr (kInlineCount > 0 && kDebugBuild)
            std::memset(static_cast<void*>(inline_.data()), kStaleByte, sizeof(inline_));
    }
    ArrayBlock block() const { return {data_, capacity_ * sizeof(T)}; }
    void adopt(ArrayBlock fresh) {
        data_ = static_cast<T*>(fresh.data);
        capacity_ = fresh.size_bytes / sizeof(T);
    }

    [[no_unique_address]] InlineItems<T, kInlineCount> inline_;
    [[no_unique_address]] Allocator allocator_;
    T* data_ = inline_.data();
    std::size_t capacity_ = kInlineCount;
};

}  // namespace evertick::core
