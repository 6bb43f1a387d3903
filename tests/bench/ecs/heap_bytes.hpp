#pragma once
// Linking heap_bytes.cpp makes this program's operator new count.

#include <cstddef>

namespace evertick::bench {

// Returns the bytes handed out and not given back: by operator new, as much as malloc really gave, and by the
// process's bins, as much as their cells and runs hold.
std::size_t live_heap_bytes();

}  // namespace evertick::bench
