// bench_ecs_memory [--entities N] [--rounds N]: bytes on the heap, by counting. They do not vary: one round
// is all there is. What our registry says of itself must agree, or the program aborts.
//     bytes     an entity with three components of 32 bytes in all
//     held      an entity's share of what is left when all are destroyed
//     trimmed   and of what is left when unused memory was given back: trim(), shrink_to_fit() of every
//     vector scarce    a component that every 4,096th entity has: what its pool takes, for each that has it

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/verify.hpp"
#include "ecs/registry.hpp"
#include "tests/bench/ecs/heap_bytes.hpp"
#include "tests/bench/ecs/measure.hpp"
#include "tests/bench/ecs/population.hpp"
#include "tests/bench/ecs/textbook.hpp"

namespace evertick::bench {
namespace {

constexpr std::size_t kScarcity = 4096;

class HeapGrowth {
  public:
    std::size_t bytes() const { return live_heap_bytes() - before_; }
    double per(std::size_t count) const { return static_cast<double>(bytes()) / static_cast<double>(count); }

  private:
    std::size_t before_ = live_heap_bytes();
};

// Its own accounts, which leave out a few small blocks of each pool.
void verify_accounts(const TextbookRegistry&, std::size_t) {}
void verify_accounts(const ecs::Registry& registry, std::size_t counted) {
    const std::size_t said = registry.bytes().reserved;
    const std::size_t allowed = counted / 50 + (std::size_t{64} << 10);
    core::verify(said <= counted + allowed && counted <= said + allowed,
                 "Registry::bytes agrees with the heap");
}

void trim(TextbookRegistry& registry) { registry.shrink(); }
void trim(auto& registry) {
    if constexpr (requires { registry.trim(); }) registry.trim();
}

template <class Registry>
void measure_all(std::string_view subject, std::size_t count) {
    std::vector<ecs::Entity> entities;
    entities.reserve(count);
    const HeapGrowth growth;
    Registry registry;
    for (std::size_t i = 0; i < count; ++i) {
        entities.push_back(registry.create());
        registry.template emplace<Position>(entities.back());
        registry.template emplace<Velocity>(entities.back());
        registry.template emplace<Body>(entities.back());
    }
    print_sample(subject, "bytes", growth.per(count), "B/entity");
    verify_accounts(registry, growth.bytes());
    for (const ecs::Entity entity : entities) registry.destroy(entity);
    print_sample(subject, "held", growth.per(count), "B/entity");
    trim(registry);
    print_sample(subject, "trimmed", growth.per(count), "B/entity");
    verify_accounts(registry, growth.bytes());
}

template <class Registry>
void measure_scarce(std::string_view subject, std::size_t count) {
    Registry registry;
    std::vector<ecs::Entity> entities;
    for (std::size_t i = 0; i < count; ++i) entities.push_back(registry.create());
    const HeapGrowth growth;
    std::size_t having = 0;
    for (std::size_t i = 0; i < count; i += kScarcity, ++having)
        registry.template emplace<Position>(entities[i]);
    print_sample(subject, "scarce", growth.per(having), "B/component");
}

void measure_plain(std::size_t count) {
    const HeapGrowth growth;
    const std::vector<Position> positions(count);
    const std::vector<Velocity> velocities(count);
    const std::vector<Body> bodies(count);
    print_sample("plain loop", "bytes", growth.per(count), "B/entity");
}

void run(const Scale& scale) {
    measure_plain(scale.entities);
    measure_all<TextbookRegistry>("textbook", scale.entities);
    measure_all<ecs::Registry>("evertick", scale.entities);
    measure_scarce<TextbookRegistry>("textbook", scale.entities);
    measure_scarce<ecs::Registry>("evertick", scale.entities);
}

}  // namespace
}  // namespace evertick::bench

int main(int argc, char** argv) { return evertick::bench::run_at_scale(argc, argv, evertick::bench::run); }
