#include "ecs/component_id.hpp"

#include <atomic>

#include "core/verify.hpp"

namespace evertick::ecs {

ComponentId take_component_id() {
    static std::atomic<ComponentId> next = 0;  // types belong to the program, so their numbers do too
    const ComponentId id = next.fetch_add(1, std::memory_order_relaxed);
    core::verify(id < kMaxComponentTypes, "ecs: more than 64 component types (kMaxComponentTypes)");
    return id;
}

}  // namespace evertick::ecs
