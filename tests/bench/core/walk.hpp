#pragma once
// Sums over all elements, as a system would write them: the loop over a vector, and the loop over spans.

#include <cstdint>
#include <span>
#include <vector>

#include "core/chunked_array.hpp"
#include "tests/bench/core/element.hpp"

namespace evertick::bench {

template <std::size_t Bytes>
std::uint64_t sum(std::span<const Element<Bytes>> elements) {
    std::uint64_t total = 0;
    for (const Element<Bytes>& each : elements)
        for (const auto word : each.words) total += word;
    return total;
}

template <std::size_t Bytes>
std::uint64_t walk(const std::vector<Element<Bytes>>& elements) {
    return sum<Bytes>(elements);
}

template <std::size_t Bytes>
std::uint64_t walk(const core::ChunkedArray<Element<Bytes>>& elements) {
    std::uint64_t total = 0;
    for (const std::span<const Element<Bytes>> chunk : elements.chunks()) total += sum<Bytes>(chunk);
    return total;
}

}  // namespace evertick::bench
