#include "ecs/component_id.hpp"

#include <mutex>

#include "core/verify.hpp"

namespace evertick::ecs {

ComponentId number_component_type(std::atomic<ComponentId>& number) {
    static std::mutex mutex;
    static ComponentId next = 0;  // types belong to the program, so their numbers do too
    const std::scoped_lock lock(mutex);
    if (number == kUnnumbered) {
        core::verify(next < kMaxComponentTypes, "ecs: more than kMaxComponentTypes component types");
        number = next++;
    }
    return number;
}

}  // namespace evertick::ecs
