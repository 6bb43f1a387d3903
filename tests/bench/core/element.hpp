#pragma once

#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace evertick::bench {

// What containers are filled with: plain bytes of a given size.
template <std::size_t Bytes>
struct Element {
    std::array<std::uint64_t, Bytes / 8> words;
};
template <>
struct Element<4> {
    std::array<std::uint32_t, 1> words;
};
static_assert(sizeof(Element<4>) == 4 && sizeof(Element<80>) == 80);

// An element that differs from its neighbours.
template <std::size_t Bytes>
Element<Bytes> element(std::size_t number) {
    Element<Bytes> made{};
    made.words[0] = static_cast<decltype(made.words)::value_type>(number);
    return made;
}

// One whose bytes are in the cache since long. Making each element just before it is added costs more than
// adding it: it is written in pieces and read as a whole, which a processor must wait for.
template <std::size_t Bytes>
Element<Bytes> settled_element() {
    Element<Bytes> made = element<Bytes>(1);
    benchmark::DoNotOptimize(made);
    return made;
}

}  // namespace evertick::bench
