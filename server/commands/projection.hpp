#pragma once
// Which parts of an entity a reply shows: GET's words and QUERY's RETURN.

#include <array>
#include <cstdint>
#include <string_view>

#include "core/result.hpp"
#include "server/commands/arguments.hpp"
#include "server/protocol/reply_writer.hpp"
#include "server/world/component_type.hpp"
#include "server/world/world.hpp"

namespace evertick::commands {

class Projection {
  public:
    // Adds "position" (all its fields) or "position.x". errors: BADARG
    core::Result<> add(std::string_view path);

    bool empty() const { return count_ == 0; }

    // Writes a map component -> map field -> value, in the order the components were first named; a component
    // the entity lacks is null. An empty projection shows every component the entity has.
    void write(protocol::ReplyWriter& reply, const world::World& world, ecs::Entity entity) const;

  private:
    struct Part {
        world::ComponentIndex component;
        std::uint32_t fields;  // bit n: the component's field n
    };
    std::array<Part, world::kMaxComponentTypes> parts_{};
    std::size_t count_ = 0;
};

}  // namespace evertick::commands
