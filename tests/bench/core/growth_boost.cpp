#include <boost/container/vector.hpp>

#include "tests/bench/core/growth.hpp"

namespace evertick::bench {
namespace {

struct BoostVectors {
    template <class T>
    using Of = boost::container::vector<T>;
};
[[maybe_unused]] const bool kRegistered = register_growth<BoostVectors>("boost::vector");

}  // namespace
}  // namespace evertick::bench
