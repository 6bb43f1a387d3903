#include "core/chunked_array.hpp"

// Succeeds when a chunked array of the installed package works.
int main() {
    evertick::core::ChunkedArray<int> numbers;
    numbers.push_back(42);
    return numbers.at(0) == 42 ? 0 : 1;
}
