#pragma once
// Counts calls of operator new in this test executable (linking heap_counter.cpp replaces it).

#include <cstddef>

namespace evertick::test {

// How often memory was asked of the heap so far, by any thread.
std::size_t heap_allocations();

}  // namespace evertick::test
