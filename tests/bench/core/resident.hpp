#pragma once

#include <cstddef>

namespace evertick::bench {

// Returns the memory the process occupies, in bytes. Allocates nothing.
std::size_t resident_bytes();

}  // namespace evertick::bench
