#include "server/commands/draft.hpp"

#include <cstddef>
#include <cstring>

#include "core/quote.hpp"
#include "core/schema.hpp"
#include "server/commands/arguments.hpp"
#include "server/world/components.hpp"

namespace evertick::commands {
namespace {

// `position 1 2 3` and `position = 1` come as words of their own: say what is missing.
std::unexpected<core::Error> failure_of(std::string_view word, const core::Error& error) {
    const bool is_name = !word.empty() && word.find_first_not_of("+-.,0123456789") != std::string_view::npos;
    if (is_name) return std::unexpected(error);
    return core::failure(core::ErrorCode::badarg,
                         core::quote(word) +
                             " is no component; write component[.field]=value without "
                             "spaces, such as position=1,2,3");
}

}  // namespace

Draft::Draft(world::World& world, ecs::Entity entity, core::MemStack& stack)
    : world_(world), entity_(entity), stack_(stack) {}

Draft::Draft(const Draft& other, core::MemStack& stack)
    : world_(other.world_),
      entity_(other.entity_),
      stack_(stack),
      touched_(other.touched_),
      added_(other.added_) {
    world::for_each_component(touched_, [&](world::ComponentIndex index) {
        const std::size_t size_bytes = world::component_types()[index].size_bytes;
        records_[index] = stack_.allocate(size_bytes, alignof(std::max_align_t));
        std::memcpy(records_[index], other.records_[index], size_bytes);
    });
}

core::Result<> Draft::apply(std::string_view word) {
    const std::size_t equals = word.find('=');
    if (equals == 0) return failure_of({}, {});
    if (equals != std::string_view::npos) return assign(word.substr(0, equals), word.substr(equals + 1));
    const auto path = parse_path(word);
    if (!path) return failure_of(word, path.error());
    if (path->field != nullptr)
        return core::failure(
            core::ErrorCode::badarg,
            std::string(word) + ": a field needs a value; expected " + std::string(word) + "=value");
    record(path->component);
    return {};
}

core::Result<> Draft::assign(std::string_view path_text, std::string_view value) {
    const auto path = parse_path(path_text);
    return path ? set(*path, value) : std::unexpected(path.error());
}

core::Result<> Draft::set(const FieldPath& path, std::string_view value) {
    const world::ComponentType& type = world::component_types()[path.component];
    const world::ComponentMask touched_before = touched_;
    const world::ComponentMask added_before = added_;
    void* const target = record(path.component);
    auto done = path.field == nullptr ? core::set_all(type, target, value)
                                      : core::set_field(type, *path.field, target, value);
    if (!done) {
        touched_ = touched_before;
        added_ = added_before;
    }
    return done;
}

void* Draft::record(world::ComponentIndex index) {
    const world::ComponentMask bit = world::ComponentMask{1} << index;
    if ((touched_ & bit) == 0) {
        const world::ComponentType& type = world::component_types()[index];
        void*& slot = records_[index];
        slot = stack_.allocate(type.size_bytes, alignof(std::max_align_t));
        const void* const present = entity_ == ecs::Entity{} ? nullptr : type.peek(world_.registry, entity_);
        std::memcpy(slot, present != nullptr ? present : type.defaults, type.size_bytes);
        touched_ |= bit;
        if (present == nullptr) added_ |= bit;
    }
    return records_[index];
}

void Draft::prefetch(world::ComponentIndex index) {
    const world::ComponentMask bit = world::ComponentMask{1} << index;
    if ((fetched_ & bit) != 0 || entity_ == ecs::Entity{}) return;
    fetched_ |= bit;
    __builtin_prefetch(world::component_types()[index].peek(world_.registry, entity_), 1);
}

// First everything that needs memory, and so can fail; then the values, which cannot.
void Draft::write_to(ecs::Entity entity) const {
    world::add_components(world_.registry, entity, added_);
    world::for_each_component(touched_, [&](world::ComponentIndex index) {
        const world::ComponentType& type = world::component_types()[index];
        std::memcpy(type.get(world_.registry, entity), records_[index], type.size_bytes);
    });
    if ((touched_ >> world::kIndexOf<world::Position> & 1U) != 0) world_.spatial_index.touch(entity);
}

}  // namespace evertick::commands
