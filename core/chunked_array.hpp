#pragma once
// ChunkedArray<T>: a growing array whose elements never move. They live in separately allocated chunks of
// equal size; an index is a shift (which chunk) and a mask (where in it). Growth allocates one chunk and
// touches no element, so a reference holds until its own element is removed, and no push_back ever pays for
// copying the others.
//
// It is not contiguous: walk it by chunks(), each a std::span; that is as fast as one array, while indexing
// and iterators cost two loads an element. It is not for a handful of elements: the first one takes a chunk.
//
// Invariants: size() <= capacity(); capacity() is a whole number of chunks; elements [0, size) are
//             constructed and nothing else is; chunks never move, only the table of their addresses may.
// References: growth, reserve and shrink_to_fit invalidate none; removal invalidates the removed element and,
//             for remove_at_swap, the last one. Iterators hold an index and survive growth.
// Errors:     no memory is std::bad_alloc. When that or an element's constructor throws, size and elements
//             are as they were; chunks that were had for a constructor that then throws stay as spare ones. A
//             broken precondition aborts (verify).
// Memory:     chunks are cells or runs of BinnedAllocator::process().
// Copying:    deep, where T can be copied. A moved-from array is empty and usable; references follow
//             the move.
// Threads:    as the standard containers: const access from many, mutation from one.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/binned_allocator.hpp"
#include "core/debug.hpp"
#include "core/index_iterator.hpp"
#include "core/intrusive_optional.hpp"
#include "core/verify.hpp"

namespace evertick::core {

template <class T, std::size_t TargetBytesPerChunk = 16384>
class ChunkedArray {
  public:
    using value_type = T;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using reference = T&;
    using const_reference = const T&;
    using iterator = IndexIterator<ChunkedArray>;
    using const_iterator = IndexIterator<const ChunkedArray>;

    // The largest power of two that fits the target, at least 1.
    static constexpr std::size_t kElementsPerChunk =
        std::bit_floor(std::max(TargetBytesPerChunk / sizeof(T), std::size_t{1}));

    ChunkedArray() = default;
    ChunkedArray(const ChunkedArray& other)
        requires std::is_copy_constructible_v<T>
        : ChunkedArray() {  // delegated, so that the destructor cleans up when a copy throws
        append_copy(other);
    }
    ChunkedArray(ChunkedArray&& other) noexcept
        : chunks_(std::exchange(other.chunks_, {})), size_(std::exchange(other.size_, 0)) {}
    ChunkedArray& operator=(const ChunkedArray& other)
        requires std::is_copy_constructible_v<T>
    {
        if (this != &other) ChunkedArray(other).swap(*this);
        return *this;
    }
    ChunkedArray& operator=(ChunkedArray&& other) noexcept {
        ChunkedArray(std::move(other)).swap(*this);
        return *this;
    }
    ~ChunkedArray() { truncate(0); }

    void swap(ChunkedArray& other) noexcept {
        chunks_.swap(other.chunks_);
        std::swap(size_, other.size_);
    }
    friend void swap(ChunkedArray& a, ChunkedArray& b) noexcept { a.swap(b); }

    // The state of an empty IntrusiveOptional (core/intrusive_optional.hpp).
    explicit ChunkedArray(UnsetState) noexcept : size_(kUnsetSize) {}
    bool is_unset(UnsetState) const noexcept { return size_ == kUnsetSize; }

    // --- size ---

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    bool is_valid_index(std::size_t index) const { return index < size_; }
    // Elements there is room for without another chunk.
    std::size_t capacity() const { return chunks_.size() * kElementsPerChunk; }
    // The heap memory held: all chunks, used or spare, and their table.
    std::size_t allocated_bytes() const {
        return chunks_.size() * kBytesPerChunk + chunks_.capacity() * sizeof(chunks_[0]);
    }

    // Makes room for `count` elements in all. cost: O(chunks added)
    void reserve(std::size_t count) {
        if (count > size_) reserve_more(count - size_);
    }
    // Gives back every chunk without an element.
    void shrink_to_fit() {
        chunks_.resize(chunks_for(size_));
        chunks_.shrink_to_fit();
    }

    // --- access ---

    // requires: index < size() (verified in debug builds)
    T& operator[](std::size_t index) {
        check(index);
        return *slot(index);
    }
    const T& operator[](std::size_t index) const {
        check(index);
        return *slot(index);
    }
    // requires: index < size() (verified in every build: an index out of range is our bug, not an exception)
    T& at(std::size_t index) {
        verify(index < size_, "ChunkedArray::at: index out of range");
        return *slot(index);
    }
    const T& at(std::size_t index) const {
        verify(index < size_, "ChunkedArray::at: index out of range");
        return *slot(index);
    }
    // requires: not empty, as operator[]
    T& front() { return (*this)[0]; }
    const T& front() const { return (*this)[0]; }
    T& back() { return (*this)[size_ - 1]; }
    const T& back() const { return (*this)[size_ - 1]; }

    // --- walking ---

    // The number of chunks that hold elements.
    std::size_t chunk_count() const { return chunks_for(size_); }
    // One chunk's elements; every chunk but the last is full.
    // requires: index < chunk_count()
    std::span<T> chunk(std::size_t index) { return {chunks_[index].get(), elements_in(index)}; }
    std::span<const T> chunk(std::size_t index) const { return {chunks_[index].get(), elements_in(index)}; }
    // All elements in order, as a random-access range of spans: the fast walk. Spans stay true while the
    // array does not shrink; elements added meanwhile may not be in them.
    auto chunks() { return chunks_of(*this); }
    auto chunks() const { return chunks_of(*this); }

    iterator begin() { return {*this, 0}; }
    iterator end() { return {*this, size_}; }
    const_iterator begin() const { return {*this, 0}; }
    const_iterator end() const { return {*this, size_}; }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }

    // Copies every element, in order, onto the first size() of `out`: one memmove a chunk where T allows it,
    // T's own assignment otherwise.
    // requires: out.size() >= size() (verified)
    void copy_to(std::span<T> out) const
        requires std::is_copy_assignable_v<T>
    {
        verify(out.size() >= size_, "ChunkedArray::copy_to: the span is smaller than the array");
        for (const std::span<const T> source : chunks()) {
            std::ranges::copy(source, out.begin());
            out = out.subspan(source.size());
        }
    }

    // --- adding ---

    // cost: O(1); every kElementsPerChunk-th call allocates. An element of the array itself may be passed.
    template <class... Args>
    T& emplace_back(Args&&... args) {
        if (size_ == capacity()) [[unlikely]]
            reserve_more(1);
        T* const element = std::construct_at(slot(size_), std::forward<Args>(args)...);
        ++size_;
        return *element;
    }
    void push_back(const T& value) { emplace_back(value); }
    void push_back(T&& value) { emplace_back(std::move(value)); }

    // Adds `count` value-initialised elements (numbers are zero).
    // Returns the index of the first; all or none are added.
    std::size_t add(std::size_t count)
        requires std::is_default_constructible_v<T>
    {
        reserve_more(count);
        const std::size_t first = size_;
        try {
            for (std::size_t left = count; left > 0;) {
                const std::size_t step = std::min(left, kElementsPerChunk - (size_ & kMask));
                std::uninitialized_value_construct_n(slot(size_), step);
                size_ += step;
                left -= step;
            }
        } catch (...) {
            truncate(first);
            throw;
        }
        return first;
    }

    // --- removing: destructors run, chunks stay for reuse unless said otherwise ---

    // requires: not empty (verified)
    void pop_back() {
        verify(size_ > 0, "ChunkedArray::pop_back: the array is empty");
        std::destroy_at(slot(--size_));
    }
    // Removes one element; the last one takes its place. The order of the others stays.
    // requires: index < size() (verified)      cost: O(1): at most one move assignment, one destructor
    void remove_at_swap(std::size_t index) {
        verify(index < size_, "ChunkedArray::remove_at_swap: index out of range");
        if (index != size_ - 1) *slot(index) = std::move(*slot(size_ - 1));
        pop_back();
    }
    // Removes all elements and keeps all chunks.
    void clear() noexcept { truncate(0); }
    // Removes all elements and leaves room for exactly `slack`, rounded up to whole chunks.
    void clear(std::size_t slack) {
        truncate(0);
        if (chunks_.size() > chunks_for(slack)) chunks_.resize(chunks_for(slack));
        reserve(slack);
    }

    // Aborts unless the invariants hold. cost: O(chunks)
    void check_invariants() const {
        verify(size_ <= capacity(), "ChunkedArray: size within capacity");
        for (const Chunk& chunk : chunks_) {
            verify(chunk != nullptr, "ChunkedArray: no chunk is null");
            verify(std::bit_cast<std::uintptr_t>(chunk.get()) % kChunkAlignment == 0,
                   "ChunkedArray: chunk alignment");
        }
    }

  private:
    static_assert(std::is_object_v<T> && !std::is_const_v<T>, "ChunkedArray holds mutable objects");

    static constexpr std::size_t kMask = kElementsPerChunk - 1;
    static constexpr int kShift = std::countr_zero(kElementsPerChunk);
    static constexpr std::size_t kBytesPerChunk = kElementsPerChunk * sizeof(T);
    static constexpr std::size_t kChunkAlignment = std::max(alignof(T), std::size_t{64});  // a cache line
    static constexpr std::size_t kMaxSize = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T);
    static constexpr std::size_t kUnsetSize = std::numeric_limits<std::size_t>::max();

    // The one place where a chunk's memory comes from and goes to. It is raw: elements are constructed and
    // destroyed elsewhere.
    struct FreeChunk {
        void operator()(T* chunk) const noexcept {
            BinnedAllocator::process().free(chunk, kBytesPerChunk, kChunkAlignment);
        }
    };
    using Chunk = std::unique_ptr<T, FreeChunk>;
    static Chunk allocate_chunk() {
        return Chunk(static_cast<T*>(BinnedAllocator::process().allocate(kBytesPerChunk, kChunkAlignment)));
    }

    static std::size_t chunks_for(std::size_t count) {
        return (count >> kShift) + ((count & kMask) != 0 ? 1 : 0);
    }
    std::size_t elements_in(std::size_t chunk_index) const {
        return std::min(kElementsPerChunk, size_ - (chunk_index << kShift));
    }
    T* slot(std::size_t index) const { return chunks_[index >> kShift].get() + (index & kMask); }
    void check(std::size_t index) const {
        if constexpr (kDebugBuild) verify(index < size_, "ChunkedArray: index out of range");
    }

    template <class Array>
    static auto chunks_of(Array& array) {
        return std::views::iota(std::size_t{0}, array.chunk_count()) |
               std::views::transform([&array](std::size_t index) { return array.chunk(index); });
    }

    void reserve_more(std::size_t count) {
        if (count > kMaxSize - size_) throw std::bad_array_new_length();
        const std::size_t wanted = chunks_for(size_ + count);
        if (wanted > BinnedAllocator::process().limit_bytes() / kBytesPerChunk) throw std::bad_alloc();
        const std::size_t before = chunks_.size();
        try {
            while (chunks_.size() < wanted) chunks_.push_back(allocate_chunk());
        } catch (...) {
            chunks_.resize(before);
            throw;
        }
    }

    // requires: empty
    void append_copy(const ChunkedArray& other) {
        reserve_more(other.size_);
        for (const std::span<const T> source : other.chunks()) {
            std::uninitialized_copy_n(source.data(), source.size(), slot(size_));
            size_ += source.size();
        }
    }

    // Destroys the elements from `count` on.
    void truncate(std::size_t count) noexcept {
        if constexpr (std::is_trivially_destructible_v<T>) size_ = count;
        while (size_ > count) std::destroy_at(slot(--size_));
    }

    std::vector<Chunk> chunks_;
    std::size_t size_ = 0;
};

}  // namespace evertick::core
