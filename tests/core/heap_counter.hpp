#pragma once
// Counts what is asked of the heap in this test executable: calls of operator new (linking heap_counter.cpp
// replaces it) and allocations from the process's bins. It can be told to fail, too.

#include <cstddef>

namespace evertick::test {

// How often memory was asked of the heap so far, by any thread.
std::size_t heap_allocations();

// For as long as it lives, one call of operator new throws std::bad_alloc: that after so many others.
class FailingHeap {
  public:
    explicit FailingHeap(std::size_t others);
    FailingHeap(const FailingHeap&) = delete;
    FailingHeap& operator=(const FailingHeap&) = delete;
    ~FailingHeap();
    static bool has_failed();
};

}  // namespace evertick::test
