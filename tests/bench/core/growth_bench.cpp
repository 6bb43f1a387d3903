// bench_core_growth [GOOGLE BENCHMARK ARGUMENTS]: push_back without reserve, for Array, std::vector and
// boost::container::vector.

#include <vector>

#include "tests/bench/core/growth.hpp"

namespace evertick::bench {
namespace {

struct Vectors {
    template <class T>
    using Of = std::vector<T>;
};
[[maybe_unused]] const bool kRegistered = register_growth<Vectors>("std::vector");

}  // namespace
}  // namespace evertick::bench

int main(int argc, char** argv) { return evertick::bench::run_benchmarks(argc, argv); }
