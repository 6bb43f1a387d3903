#include "core/array.hpp"
#include "tests/bench/core/growth.hpp"

namespace evertick::bench {
namespace {

template <class T>
using Container = core::Array<T>;
[[maybe_unused]] const bool kRegistered = register_growth<Container>("Array");

}  // namespace
}  // namespace evertick::bench
