#include "core/array.hpp"
#include "core/heap_allocator.hpp"
#include "tests/bench/core/growth.hpp"

namespace evertick::bench {
namespace {

struct Arrays {
    template <class T>
    using Of = core::Array<T>;
};
struct HeapArrays {
    template <class T>
    using Of = core::Array<T, core::HeapAllocator>;
};
[[maybe_unused]] const bool kRegistered = register_growth<Arrays>("Array");
[[maybe_unused]] const bool kHeapRegistered = register_growth<HeapArrays>("Array, heap");

}  // namespace
}  // namespace evertick::bench
