#pragma once

namespace evertick::server {

// What the process says to its parent. Numbers are part of the interface.
enum class ExitCode : int {
    ok = 0,
    internal = 1,  // also: ended at once by a second signal
    usage = 2,     // command line or settings
    bind = 3,      // the address or port cannot be listened on
};

}  // namespace evertick::server
