#pragma once
// What a test can know of the process it runs in.

#include <unistd.h>

#include <cstddef>
#include <cstdio>

#include "core/verify.hpp"

namespace evertick::test {

// A sanitizer keeps memory and address space of its own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // g++
inline constexpr bool kSanitizer = true;
#elif defined(__has_feature)  // clang
inline constexpr bool kSanitizer = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool kSanitizer = false;
#endif

struct ProcessSize {
    std::size_t mapped_bytes, resident_bytes;
};

inline ProcessSize process_size() {
    std::size_t mapped = 0, resident = 0;
    std::FILE* const file = std::fopen("/proc/self/statm", "r");
    core::verify(file != nullptr && std::fscanf(file, "%zu %zu", &mapped, &resident) == 2,
                 "statm begins with two numbers");
    std::fclose(file);
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return {mapped * page, resident * page};
}
inline std::size_t mapped_bytes() { return process_size().mapped_bytes; }
inline std::size_t resident_bytes() { return process_size().resident_bytes; }

}  // namespace evertick::test
