#pragma once

#include "server/commands/context.hpp"

namespace evertick::server {

// What the process holds: resident by the kernel's account; live and reserved by the allocator's.
// cost: reads one file of /proc; under 0.1 ms
commands::MemoryStatus process_memory();

}  // namespace evertick::server
