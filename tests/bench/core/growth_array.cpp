#include "core/array.hpp"
#include "tests/bench/core/growth.hpp"

namespace evertick::bench {
namespace {

struct Arrays {
    template <class T>
    using Of = core::Array<T>;
};
[[maybe_unused]] const bool kRegistered = register_growth<Arrays>("Array");

}  // namespace
}  // namespace evertick::bench
