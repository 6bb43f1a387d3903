#include "tests/fuzz/world_digest.hpp"

#include <functional>
#include <string_view>

#include "server/world/component_type.hpp"

namespace evertick::fuzz {
namespace {

constexpr std::size_t kAllSeen = 64;  // the first so many are all seen,
constexpr std::size_t kOneOf = 37;    // and then one of so many

std::size_t mixed(std::size_t hash, std::string_view bytes) {
    return hash * 31 + std::hash<std::string_view>{}(bytes);
}

template <class T>
std::size_t mixed(std::size_t hash, const T& plain) {
    return mixed(hash, std::string_view(reinterpret_cast<const char*>(&plain), sizeof plain));
}

}  // namespace

std::size_t digest_of(const world::World& world) {
    std::size_t hash = mixed(mixed(mixed(0, world.tick), world.random.state()), world.counters);
    hash = mixed(hash, world.registry.alive_count());
    for (std::size_t i = 0; i < world.registry.index_count(); i += i < kAllSeen ? 1 : kOneOf) {
        const ecs::Entity entity = world.registry.entity_at(i);
        hash = mixed(mixed(hash, entity), world.registry.mask(entity));
        for (const world::ComponentType& type : world::component_types())
            if (const void* data = type.peek(world.registry, entity); data != nullptr)
                hash = mixed(hash, std::string_view(static_cast<const char*>(data), type.size_bytes));
    }
    return hash;
}

}  // namespace evertick::fuzz
