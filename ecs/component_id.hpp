#pragma once
// Component types as small numbers, so that a pool is found by indexing an array and the components of an
// entity are a set of bits. The numbers are given in order of first use: they are those of this run of the
// program and belong in no file, message or hash.
// Thread safety: any thread.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace evertick::ecs {

// A program has at most this many component types: one bit each, in a word that has two more of its own.
inline constexpr std::size_t kMaxComponentTypes = 62;

using ComponentId = std::uint32_t;

// Bit n is the component type numbered n.
using ComponentMask = std::uint64_t;

inline constexpr ComponentId kUnnumbered = kMaxComponentTypes;

// Gives a type its number, once; the slow half of component_id().
// requires: fewer than kMaxComponentTypes types so far (verified)
ComponentId number_component_type(std::atomic<ComponentId>& number);

template <class T>
inline constinit std::atomic<ComponentId> component_number = kUnnumbered;

// The number, or kUnnumbered as long as component_id() has not given one.
template <class T>
ComponentId component_id_if_any() {
    return component_number<std::remove_const_t<T>>.load(std::memory_order_relaxed);
}

// cost: a load and a predictable branch, where a static local variable would be a call
template <class T>
ComponentId component_id() {
    const ComponentId id = component_id_if_any<T>();
    return id < kUnnumbered ? id : number_component_type(component_number<std::remove_const_t<T>>);
}

// The set of these types.
template <class... Ts>
ComponentMask component_mask() {
    ComponentMask mask = 0;
    ((mask |= ComponentMask{1} << component_id<Ts>()), ...);  // first use in this order, on every compiler
    return mask;
}

}  // namespace evertick::ecs
