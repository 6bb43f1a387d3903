#pragma once

#include "config/load.hpp"
#include "core/result.hpp"

namespace evertick::server {

// Does what was asked instead of running a server: --help, --version, --check-config, --print-config,
// --healthcheck. Prints to standard output.
// requires: a mode other than run (verified)      errors: ERR: the health check or the printing failed
core::Result<> run_mode(const config::Loaded& loaded);

}  // namespace evertick::server
