#pragma once
// Array<T, Allocator = BinnedArrayAllocator>: a contiguous growing array, as std::vector, that grows faster:
// where elements may be relocated by copying their bytes (core/relocate.hpp says which) growth is one
// realloc, which often moves nothing. Where its memory comes from is one parameter: HeapAllocator,
// InlineAllocator<N> (the first N elements inside the object), MemStackAllocator<T>;
// core/array_allocator.hpp says how to add another. Removal by swapping the last element into the hole is a
// first-class operation.
//
// It is not for elements whose addresses must last (ChunkedArray), nor for a million of a type that is
// expensive to move. T must be complete where its Array is declared.
//
// Growth:     to the most of: what is asked for, twice the capacity, the first block (64 bytes, and four
//             elements up to 1 KiB each). reserve and shrink_to_fit ask for exactly what they are told. The
//             capacity is always all that the allocator really gave.
// Invariants: size() <= capacity(); elements [0, size) are constructed and nothing else is.
// References: growth, insertion, removal, reserve and shrink_to_fit invalidate as in std::vector. An element
//             of the array may be passed to any of its own functions, also when the array grows.
// Errors:     no memory is std::bad_alloc, a count whose size overflows std::bad_array_new_length. When these
//             or a constructor throw, elements and size are as they were (the capacity may be larger), unless
//             T can only be moved and its move throws; an argument that was to be moved in may be moved-from.
//             A move assignment that throws, in insert and the removals, leaves all elements valid. Moving
//             elements that are inside may throw what T's move does; assignment then leaves the target empty.
//             A broken precondition aborts (verify).
// Copying:    deep, where T can be copied. A moved-from array is empty and usable. Moving takes the allocator
//             along with the memory; copy assignment keeps the target's.
// Threads:    as the standard containers: const access from many, mutation from one.

#include <algorithm>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "core/array_allocator.hpp"
#include "core/array_storage.hpp"
#include "core/binned_adapters.hpp"
#include "core/debug.hpp"
#include "core/inline_allocator.hpp"
#include "core/intrusive_optional.hpp"
#include "core/relocate.hpp"
#include "core/verify.hpp"

namespace evertick::core {

template <class T, ArrayAllocator Allocator = BinnedArrayAllocator>
class Array {
    using Storage = ArrayStorage<T, Allocator>;

  public:
    using value_type = T;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using reference = T&;
    using const_reference = const T&;
    using iterator = T*;
    using const_iterator = const T*;

    Array() = default;
    explicit Array(Allocator allocator) noexcept : storage_(allocator) {}
    explicit Array(std::span<const T> items, Allocator allocator = {})
        requires std::is_copy_constructible_v<T>
        : Array(allocator) {
        reserve(items.size());
        append(items);
    }
    Array(std::initializer_list<T> items, Allocator allocator = {})
        requires std::is_copy_constructible_v<T>
        : Array(std::span<const T>(items), allocator) {}
    Array(const Array& other)
        requires std::is_copy_constructible_v<T>
        : Array(std::span<const T>(other), other.allocator()) {}
    Array(Array&& other) noexcept(Storage::kNothrowMove) : Array(other.allocator()) { take(other); }
    Array& operator=(const Array& other)
        requires std::is_copy_constructible_v<T>
    {
        if (this != &other) *this = Array(std::span<const T>(other), allocator());
        return *this;
    }
    Array& operator=(Array&& other) noexcept(Storage::kNothrowMove) {
        if (this == &other) return *this;
        const Array old(std::move(*this));  // goes last: `other` may be in one of its elements
        take(other);
        return *this;
    }
    [[gnu::always_inline]] ~Array() {
        destruct_items(data(), size_);
        storage_.release();
    }

    // cost: O(1), and one relocation of the elements that are inside an array
    void swap(Array& other) noexcept(Storage::kNothrowMove) {
        Array mine(std::move(*this));
        *this = std::move(other);
        other = std::move(mine);
    }
    friend void swap(Array& a, Array& b) noexcept(Storage::kNothrowMove) { a.swap(b); }

    // The state of an empty IntrusiveOptional (core/intrusive_optional.hpp).
    explicit Array(UnsetState) noexcept : size_(kUnsetSize) {}
    bool is_unset(UnsetState) const noexcept { return size_ == kUnsetSize; }

    // --- size ---

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    bool is_valid_index(std::size_t index) const { return index < size_; }
    // Elements there is room for without growth.
    std::size_t capacity() const { return storage_.capacity(); }
    // The memory held outside the object.
    std::size_t allocated_bytes() const { return storage_.has_block() ? capacity() * sizeof(T) : 0; }
    const Allocator& allocator() const { return storage_.allocator(); }

    // Makes room for `count` elements in all, and asks for no more. cost: O(size()) when it grows
    void reserve(std::size_t count) {
        if (count > capacity()) storage_.reallocate(count, size_);
    }
    // Gives back the room that holds no element: all of it, when the elements fit inside.
    void shrink_to_fit() { storage_.shrink(size_); }

    // --- access ---

    T* data() { return storage_.data(); }
    const T* data() const { return storage_.data(); }
    T* begin() { return storage_.data(); }
    T* end() { return data() + size_; }
    const T* begin() const { return storage_.data(); }
    const T* end() const { return data() + size_; }
    const T* cbegin() const { return begin(); }
    const T* cend() const { return end(); }

    // requires: index < size() (verified in debug builds)
    T& operator[](std::size_t index) {
        check(index);
        return data()[index];
    }
    const T& operator[](std::size_t index) const {
        check(index);
        return data()[index];
    }
    // requires: index < size() (verified in every build: an index out of range is our bug, not an exception)
    T& at(std::size_t index) {
        verify(index < size_, "Array::at: index out of range");
        return data()[index];
    }
    const T& at(std::size_t index) const {
        verify(index < size_, "Array::at: index out of range");
        return data()[index];
    }
    // requires: not empty, as operator[]
    T& front() { return (*this)[0]; }
    const T& front() const { return (*this)[0]; }
    T& back() { return (*this)[size_ - 1]; }
    const T& back() const { return (*this)[size_ - 1]; }

    friend bool operator==(const Array& a, const Array& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }
    friend auto operator<=>(const Array& a, const Array& b)
        requires std::three_way_comparable<T>
    {
        return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
    }

    // --- adding ---

    // cost: O(1) amortised
    template <class... Args>
    T& emplace_back(Args&&... args) {
        if (size_ == capacity()) [[unlikely]]
            return grow_and_emplace_back(std::forward<Args>(args)...);
        T* const element = std::construct_at(data() + size_, std::forward<Args>(args)...);
        ++size_;
        return *element;
    }
    void push_back(const T& value) { emplace_back(value); }
    void push_back(T&& value) { emplace_back(std::move(value)); }

    // Adds copies of all items, which may be some of its own; all or none.
    void append(std::span<const T> items)
        requires std::is_copy_constructible_v<T>
    {
        if (items.size() > capacity() - size_) {
            const bool own = is_own(items.data());
            const auto first = own ? static_cast<std::size_t>(items.data() - data()) : 0;
            storage_.grow(items.size(), size_);
            if (own) items = {data() + first, items.size()};
        }
        copy_items(data() + size_, items.data(), items.size());
        size_ += items.size();
    }

    // Puts an element in front of the one at `index`, or at the end. cost: O(size() - index)
    // requires: index <= size() (verified)
    template <class... Args>
    T& emplace(std::size_t index, Args&&... args) {
        verify(index <= size_, "Array::emplace: index out of range");
        emplace_back(std::forward<Args>(args)...);
        move_last_to(index);
        return data()[index];
    }
    T& insert(std::size_t index, const T& value) { return emplace(index, value); }
    T& insert(std::size_t index, T&& value) { return emplace(index, std::move(value)); }

    // Adds value-initialised elements (numbers are zero) or removes the last ones.
    void resize(std::size_t count) {
        if (count <= size_) return truncate(count);
        if (count > capacity()) storage_.grow(count - size_, size_);
        construct_items(data() + size_, count - size_);
        size_ = count;
    }

    // --- removing: the capacity stays ---

    void clear() noexcept { truncate(0); }
    // requires: not empty (verified)
    void pop_back() {
        verify(size_ > 0, "Array::pop_back: the array is empty");
        std::destroy_at(data() + --size_);
    }
    // Removes `count` elements from `index` on; the others keep their order. cost: O(size() - index)
    // requires: index + count <= size() (verified)
    void erase(std::size_t index, std::size_t count = 1) {
        verify(index <= size_ && count <= size_ - index, "Array::erase: range out of range");
        T* const hole = data() + index;
        if constexpr (is_trivially_relocatable<T>) {
            destruct_items(hole, count);
            relocate_items(hole, hole + count, size_ - index - count);
            size_ -= count;
        } else if (count > 0) {
            std::move(hole + count, end(), hole);
            truncate(size_ - count);
        }
    }
    // Removes one element; the last one takes its place. The order of the others stays.
    // requires: index < size() (verified)      cost: O(1)
    void remove_at_swap(std::size_t index) {
        verify(index < size_, "Array::remove_at_swap: index out of range");
        if constexpr (is_trivially_relocatable<T>) {
            std::destroy_at(data() + index);
            --size_;
            if (index != size_) relocate_items(data() + index, data() + size_, 1);
        } else {
            if (index != size_ - 1) data()[index] = std::move(data()[size_ - 1]);
            pop_back();
        }
    }
    // Removes every element the predicate is true for; which order is left is not said.
    // Returns how many.   cost: O(size()) calls, each removal O(1)
    template <class Predicate>
    std::size_t remove_if_swap(Predicate predicate) {
        const std::size_t before = size_;
        for (std::size_t index = 0; index < size_;) {
            if (std::invoke(predicate, std::as_const(data()[index])))
                remove_at_swap(index);
            else
                ++index;
        }
        return before - size_;
    }
    // Removes every element equal to `value`; an element of the array itself goes in any case.
    // Returns how many.   cost: as remove_if_swap
    std::size_t remove_swap(const T& value) {
        const auto is_equal = [](const T& wanted) {
            return [&wanted](const T& element) { return element == wanted; };
        };
        if (!is_own(std::addressof(value))) return remove_if_swap(is_equal(value));
        const auto index = static_cast<std::size_t>(std::addressof(value) - data());
        const T kept = std::move(data()[index]);  // out of the way of the swapping
        remove_at_swap(index);
        return 1 + remove_if_swap(is_equal(kept));
    }

    // Aborts unless the invariants hold. cost: O(1)
    void check_invariants() const {
        verify(size_ <= capacity(), "Array: size within capacity");
        verify(storage_.has_block() ? capacity() > 0 : capacity() == Storage::kInlineCount,
               "Array: capacity is the room there is");
        verify(std::bit_cast<std::uintptr_t>(data()) % alignof(T) == 0, "Array: alignment");
    }

  private:
    static_assert(std::is_object_v<T> && !std::is_const_v<T>, "Array holds mutable objects");

    static constexpr std::size_t kUnsetSize = std::numeric_limits<std::size_t>::max();

    void check(std::size_t index) const {
        if constexpr (kDebugBuild) verify(index < size_, "Array: index out of range");
    }
    bool is_own(const T* item) const {
        return std::less_equal<>()(begin(), item) && std::less<>()(item, end());
    }

    template <class... Args>
    [[gnu::always_inline]] T& grow_and_emplace_back(Args&&... args) {
        // Made before growth, since the arguments may be elements. (An optional takes them as construct_at
        // does.)
        std::optional<T> made(std::in_place, std::forward<Args>(args)...);
        storage_.grow(1, size_);
        T* const element = std::construct_at(data() + size_, *std::move(made));
        ++size_;
        return *element;
    }

    void take(Array& other) noexcept(Storage::kNothrowMove) {
        storage_.take(other.storage_, other.size_);
        size_ = std::exchange(other.size_, 0);
    }
    // requires: index < size()
    void move_last_to(std::size_t index) {
        T* const hole = data() + index;
        T* const last = data() + size_ - 1;
        if constexpr (is_trivially_relocatable<T>) {
            alignas(T) std::byte kept[sizeof(T)];
            T* const raw = reinterpret_cast<T*>(kept);
            relocate_items(raw, last, 1);
            relocate_items(hole + 1, hole, size_ - 1 - index);
            relocate_items(hole, raw, 1);
        } else if (hole != last) {
            T kept = taken_last();
            std::move_backward(hole, last, last + 1);
            *hole = std::move(kept);
        }
    }
    // What the last one was. If moving it throws, it is gone.
    T taken_last() {
        try {
            return T(std::move(data()[size_ - 1]));
        } catch (...) {
            pop_back();
            throw;
        }
    }
    void truncate(std::size_t count) noexcept {
        destruct_items(data() + count, size_ - count);
        size_ = count;
    }

    Storage storage_;
    std::size_t size_ = 0;
};

// An Array is known by nobody at its address, unless elements are inside it.
template <class T, class Allocator>
inline constexpr bool enable_memcpy_relocation<Array<T, Allocator>> =
    kInlineCountOf<Allocator> == 0 && is_trivially_relocatable<Allocator>;

}  // namespace evertick::core
