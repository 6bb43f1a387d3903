#pragma once
// Lets GoogleTest show an entity as people write it.

#include <ostream>

#include "ecs/entity.hpp"

namespace evertick::ecs {

template <std::unsigned_integral T, unsigned GenerationBits>
void PrintTo(BasicEntity<T, GenerationBits> entity, std::ostream* out) {
    *out << to_text(entity);
}

}  // namespace evertick::ecs
