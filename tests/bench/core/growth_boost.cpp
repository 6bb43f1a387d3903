#include <boost/container/vector.hpp>

#include "tests/bench/core/growth.hpp"

namespace evertick::bench {
namespace {

template <class T>
using Container = boost::container::vector<T>;
[[maybe_unused]] const bool kRegistered = register_growth<Container>("boost::vector");

}  // namespace
}  // namespace evertick::bench
