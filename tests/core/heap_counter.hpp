#pragma once
// Counts what is asked of the heap in this test executable: calls of operator new (linking heap_counter.cpp
// replaces it) and allocations from the process's bins.

#include <cstddef>

namespace evertick::test {

// How often memory was asked of the heap so far, by any thread.
std::size_t heap_allocations();

}  // namespace evertick::test
