#include "core/poison.hpp"

namespace evertick::core {

const bool kCoreHasAddressSanitizer = kAddressSanitizer;

}  // namespace evertick::core
