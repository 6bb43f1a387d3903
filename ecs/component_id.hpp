#pragma once
// Component types as small numbers, so that a pool is found by indexing an array and the components of an
// entity are a set of bits. The numbers are given in order of first use: they are those of this run of the
// program and belong in no file, message or hash.
// Thread safety: any thread.

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace evertick::ecs {

// A program has at most this many component types: one bit each.
inline constexpr std::size_t kMaxComponentTypes = 64;

using ComponentId = std::uint32_t;

// Bit n is the component type numbered n.
using ComponentMask = std::uint64_t;

// The next free number.
// requires: fewer than kMaxComponentTypes so far (verified)
ComponentId take_component_id();

template <class T>
ComponentId component_id() {
    if constexpr (std::is_const_v<T>) {
        return component_id<std::remove_const_t<T>>();
    } else {
        static const ComponentId id = take_component_id();
        return id;
    }
}

// The set of these types.
template <class... Ts>
ComponentMask component_mask() {
    return (ComponentMask{0} | ... | (ComponentMask{1} << component_id<Ts>()));
}

}  // namespace evertick::ecs
