#pragma once
// What a container does to a run of elements: construct, copy, move, relocate, destruct. Each chooses at
// compile time between one call for all the bytes (or no call at all) and a loop over the elements.
//
// To relocate an element is to move it to another address and end the old one: a move construction and a
// destruction. For most types that comes to the same as copying the bytes and forgetting the source; which
// types those are is never guessed: the trivially copyable ones, and what says so itself.
//
// `target` is raw memory for `count` elements. A count of 0 is fine, with any pointers.
// Threads: as the elements.

#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

namespace evertick::core {

// Says that T may be relocated by copying its bytes. For a type that owns through a pointer and is known by
// nobody at its address; not for one that points into itself (libstdc++'s std::string), is registered
// somewhere by address, or is waited on (std::mutex, std::atomic). Specialise it beside the type:
//
//     template <>
//     inline constexpr bool enable_memcpy_relocation<Session> = true;
template <class T>
inline constexpr bool enable_memcpy_relocation = false;

// Whether relocating T is copying bytes. A type that can only stay where it is (std::atomic) may well count
// as trivially copyable, so being movable is asked for too.
template <class T>
inline constexpr bool is_trivially_relocatable =
    (std::is_trivially_copyable_v<T> && std::is_trivially_move_constructible_v<T>) ||
    enable_memcpy_relocation<std::remove_cv_t<T>>;

// Whether relocate_items() cannot throw.
template <class T>
inline constexpr bool is_nothrow_relocatable =
    is_trivially_relocatable<T> || std::is_nothrow_move_constructible_v<T>;

// Ends the life of the elements: no code at all for types without a destructor.
// cost: O(count) destructors or nothing      errors: none, a destructor does not throw
template <class T>
void destruct_items(T* items, std::size_t count) noexcept {
    if constexpr (!std::is_trivially_destructible_v<T>) std::destroy_n(items, count);
}

// Value-initialises raw memory (numbers are zero): a memset where zero is all zero bits.
// errors: a constructor that throws; the elements made before it are destroyed again
template <class T>
void construct_items(T* target, std::size_t count) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>) {
        if (count > 0) std::memset(static_cast<void*>(target), 0, count * sizeof(T));
    } else {
        std::uninitialized_value_construct_n(target, count);
    }
}

// Copy-constructs from `source`: one memcpy for trivially copyable types.
// requires: no overlap
// errors:   a constructor that throws; the copies made before it are destroyed again
template <class T>
void copy_items(T* target, const T* source, std::size_t count) {
    if constexpr (std::is_trivially_copyable_v<T> && std::is_trivially_copy_constructible_v<T>) {
        if (count > 0) std::memcpy(static_cast<void*>(target), source, count * sizeof(T));
    } else {
        std::uninitialized_copy_n(source, count, target);
    }
}

// Move-constructs from `source`, whose elements live on as moved-from ones: one memcpy for trivially
// copyable types.
// requires: no overlap
// errors:   a constructor that throws; what it had made is destroyed again, what it had moved stays
// moved-from
template <class T>
void move_items(T* target, T* source, std::size_t count) {
    if constexpr (std::is_trivially_copyable_v<T> && std::is_trivially_move_constructible_v<T>) {
        if (count > 0) std::memcpy(static_cast<void*>(target), source, count * sizeof(T));
    } else {
        std::uninitialized_move_n(source, count, target);
    }
}

// Moves elements to `target` and ends them at `source`, which is raw memory then: one memmove where
// is_trivially_relocatable<T>, otherwise a loop.
// requires: no overlap, unless is_trivially_relocatable<T>
// errors:   none where is_nothrow_relocatable<T>. Otherwise a constructor that throws; then all elements are
//           still at `source`: untouched if T can be copied (it is, then), some moved-from if it cannot
template <class T>
void relocate_items(T* target, T* source, std::size_t count) noexcept(is_nothrow_relocatable<T>) {
    if constexpr (is_trivially_relocatable<T>) {
        if (count > 0)
            std::memmove(static_cast<void*>(target), static_cast<const void*>(source), count * sizeof(T));
    } else if constexpr (std::is_nothrow_move_constructible_v<T>) {
        for (std::size_t i = 0; i < count; ++i) {
            std::construct_at(target + i, std::move(source[i]));
            std::destroy_at(source + i);
        }
    } else {
        if constexpr (std::is_copy_constructible_v<T>)
            copy_items(target, source, count);
        else
            move_items(target, source, count);
        destruct_items(source, count);
    }
}

}  // namespace evertick::core
