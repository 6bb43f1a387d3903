#pragma once
// What kind of build this is, as constants: a check that costs too much for a hot path is written
// `if constexpr (kDebugBuild) verify(...)`. Everything cheaper is verified always.

namespace evertick::core {

#ifdef NDEBUG
inline constexpr bool kDebugBuild = false;
#else
inline constexpr bool kDebugBuild = true;
#endif

#if defined(__SANITIZE_ADDRESS__)  // g++
inline constexpr bool kAddressSanitizer = true;
#elif defined(__has_feature)  // clang
inline constexpr bool kAddressSanitizer = __has_feature(address_sanitizer);
#else
inline constexpr bool kAddressSanitizer = false;
#endif

}  // namespace evertick::core
