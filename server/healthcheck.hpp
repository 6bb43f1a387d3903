#pragma once

#include "config/settings.hpp"
#include "core/result.hpp"

namespace evertick::server {

// Asks the server of these settings on this machine for a PONG, for Docker and other supervisors.
// errors: ERR: says which port does not answer and why
// cost:   at most a few seconds
core::Result<> healthcheck(const config::Settings& settings);

}  // namespace evertick::server
