#pragma once
// Marks memory that is ours but not in use, so that touching it is caught: under AddressSanitizer at the
// access, in other debug builds by what it reads (kStaleByte everywhere). In release builds all of this is
// nothing.

#include <sanitizer/asan_interface.h>

#include <cstddef>
#include <cstring>

#include "core/debug.hpp"

namespace evertick::core {

// What released memory is filled with in debug builds: 0xDDDDDDDD is an unlikely number, pointer and float.
inline constexpr unsigned char kStaleByte = 0xDD;

// Whether core was built with AddressSanitizer. A program with it may use a core without, which would not
// allow again what the program's inline functions have forbidden: then nobody forbids anything.
extern const bool kCoreHasAddressSanitizer;

// Forbids and allows access. cost: nothing without AddressSanitizer, O(bytes / 8) with it
inline void poison([[maybe_unused]] const void* begin, [[maybe_unused]] std::size_t size_bytes) {
    if (kAddressSanitizer && kCoreHasAddressSanitizer) ASAN_POISON_MEMORY_REGION(begin, size_bytes);
}
inline void unpoison([[maybe_unused]] const void* begin, [[maybe_unused]] std::size_t size_bytes) {
    ASAN_UNPOISON_MEMORY_REGION(begin, size_bytes);
}

// Makes the content of memory that was just released unusable: filled (debug), then poisoned.
inline void spoil(void* begin, std::size_t size_bytes) {
    if constexpr (kDebugBuild) {
        unpoison(begin, size_bytes);  // it may hold padding that was never handed out
        std::memset(begin, kStaleByte, size_bytes);
    }
    poison(begin, size_bytes);
}

}  // namespace evertick::core
