#include "server/commands/projection.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "core/schema.hpp"

namespace evertick::commands {
namespace {

constexpr std::uint32_t kAllFields = ~std::uint32_t{0};

std::uint32_t field_bits(const world::ComponentType& type, const core::Field* field) {
    if (field == nullptr) return type.fields.empty() ? 0 : kAllFields >> (32 - type.fields.size());
    return std::uint32_t{1} << (field - type.fields.data());
}

void write_fields(protocol::ReplyWriter& reply, const world::ComponentType& type, const void* record,
                  std::uint32_t fields) {
    if (record == nullptr) return reply.null();
    reply.map(static_cast<std::size_t>(std::popcount(fields)));
    for (std::uint32_t left = fields; left != 0; left &= left - 1) {
        const core::Field& field = type.fields[static_cast<std::size_t>(std::countr_zero(left))];
        reply.key(field.name);
        reply.value(core::read(field, record));
    }
}

void write_all(protocol::ReplyWriter& reply, const world::World& world, ecs::Entity entity) {
    std::array<const void*, world::kMaxComponentTypes> records{};
    const auto types = world::component_types();
    std::size_t present = 0;
    for (std::size_t i = 0; i < types.size(); ++i) {
        records[i] = types[i].peek(world.registry, entity);
        present += records[i] != nullptr ? 1U : 0U;
    }
    reply.map(present);
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (records[i] == nullptr) continue;
        reply.key(types[i].name);
        write_fields(reply, types[i], records[i], field_bits(types[i], nullptr));
    }
}

}  // namespace

core::Result<> Projection::add(std::string_view path_text) {
    const auto path = parse_path(path_text);
    if (!path) return std::unexpected(path.error());
    const std::uint32_t bits = field_bits(world::component_types()[path->component], path->field);
    const auto used = std::span(parts_).first(count_);
    const auto same = std::ranges::find(used, path->component, &Part::component);
    if (same != used.end())
        same->fields |= bits;
    else
        parts_[count_++] = {path->component, bits};
    return {};
}

void Projection::write(protocol::ReplyWriter& reply, const world::World& world, ecs::Entity entity) const {
    if (empty()) return write_all(reply, world, entity);
    reply.map(count_);
    for (const Part& part : std::span(parts_).first(count_)) {
        const world::ComponentType& type = world::component_types()[part.component];
        reply.key(type.name);
        write_fields(reply, type, type.peek(world.registry, entity), part.fields);
    }
}

}  // namespace evertick::commands
