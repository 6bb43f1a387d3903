#pragma once
// What kind of build this is, as constants: a check that costs too much for a hot path is written
// `if constexpr (kDebugBuild) verify(...)`. Everything cheaper is verified always.

namespace evertick::core {

#ifdef NDEBUG
inline constexpr bool kDebugBuild = false;
#else
inline constexpr bool kDebugBuild = true;
#endif

}  // namespace evertick::core
