#pragma once
// Who may reach the server. Without a password only this machine, unless the operator says otherwise.

#include <string>

#include "config/settings.hpp"
#include "core/result.hpp"

namespace evertick::config {

// Whether an address to listen on can be reached from this machine only: 127.0.0.0/8, ::1, localhost. Other
// names, 0.0.0.0 and :: are not.
bool is_loopback(const std::string& address);

// errors: BADARG: no address at all; ERR: one beyond loopback without `insecure`, names the ways out; BADARG:
// a password of `readonly` alone
core::Result<> check_access(const Settings& settings);

}  // namespace evertick::config
