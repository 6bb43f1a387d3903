#pragma once
// ReservedArray<T>: a zero-initialised array of fixed length whose memory the kernel gives page by page, as
// it is touched. A table as long as an address range so costs no more than the part in use. Not for small
// arrays: each is a mapping of its own.
//
// Cost:    construction is one mmap; the first touch of each 4 KiB is a page fault.
// Errors:  no address space is std::bad_alloc.
// Threads: as a plain array.

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace evertick::core {

template <class T>
class ReservedArray {
    static_assert(std::is_trivially_destructible_v<T>, "nobody runs destructors here");

  public:
    ReservedArray() = default;
    explicit ReservedArray(std::size_t size) : data_(map(size)), size_(size) {}
    ReservedArray(ReservedArray&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    ReservedArray& operator=(ReservedArray&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~ReservedArray() {
        if (data_ != nullptr) ::munmap(data_, size_ * sizeof(T));
    }

    std::size_t size() const { return size_; }
    T* data() const { return data_; }
    // requires: index < size(), unverified: this lies under the allocators' innermost loops
    T& operator[](std::size_t index) const { return data_[index]; }

  private:
    static T* map(std::size_t size) {
        if (size == 0) return nullptr;
        void* const memory = ::mmap(nullptr, size * sizeof(T), PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        return static_cast<T*>(memory);
    }

    T* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace evertick::core
