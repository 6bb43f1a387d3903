#include "tests/simulation/digest.hpp"

#include <bit>
#include <string_view>
#include <variant>

#include "core/schema.hpp"
#include "server/world/component_type.hpp"

namespace evertick::test {
namespace {

// source: Fowler, Noll and Vo, FNV-1a, 64 bits
class Fnv {
  public:
    void add(std::uint64_t value) {
        for (int byte = 0; byte < 8; ++byte, value >>= 8U) hash_ = (hash_ ^ (value & 0xffU)) * 0x100000001b3U;
    }
    std::uint64_t value() const { return hash_; }

  private:
    std::uint64_t hash_ = 0xcbf29ce484222325U;
};

// The bits of a field's value.
struct Bits {
    std::uint64_t operator()(bool value) const { return value ? 1 : 0; }
    std::uint64_t operator()(std::int64_t value) const { return std::bit_cast<std::uint64_t>(value); }
    std::uint64_t operator()(std::uint64_t value) const { return value; }
    std::uint64_t operator()(float value) const { return std::bit_cast<std::uint32_t>(value); }
    std::uint64_t operator()(double value) const { return std::bit_cast<std::uint64_t>(value); }
    std::uint64_t operator()(const core::WordValue& value) const { return value.number; }
    std::uint64_t operator()(const core::FlagValue& value) const { return value.bits; }
    std::uint64_t operator()(core::Handle value) const { return value.raw; }
    std::uint64_t operator()(std::string_view) const { return 0; }  // no component holds text
};

void add_entity(Fnv& hash, const ecs::Registry& registry, ecs::Entity entity) {
    hash.add(entity.raw);
    const auto types = world::component_types();
    for (std::size_t i = 0; i < types.size(); ++i) {
        const void* const record = types[i].peek(registry, entity);
        if (record == nullptr) continue;
        hash.add(i);
        for (const core::Field& field : types[i].fields)
            hash.add(std::visit(Bits{}, core::read(field, record)));
    }
}

}  // namespace

std::uint64_t digest(const world::World& world) {
    Fnv hash;
    hash.add(world.tick);
    for (const std::uint64_t word : world.random.state()) hash.add(word);
    const auto& [spawned, destroyed, deaths, expired, clamped] = world.counters;
    for (const std::uint64_t counter : {spawned, destroyed, deaths, expired, clamped}) hash.add(counter);
    for (std::uint32_t index = 0; index < world.registry.index_count(); ++index)
        if (const ecs::Entity entity = world.registry.entity_at(index); world.registry.valid(entity))
            add_entity(hash, world.registry, entity);
    return hash.value();
}

}  // namespace evertick::test
