#pragma once
// Settings from all sources, the later winning: defaults, the file named by --config, the environment, the
// command line. Every value is judged, also one that a later source replaces.
//
// Reads one file and nothing else of the outside world. To reload (SIGHUP), load again with the same
// arguments and see reload.hpp.

#include <span>
#include <string>
#include <vector>

#include "config/command_line.hpp"
#include "config/environment.hpp"
#include "config/origin.hpp"
#include "config/settings.hpp"
#include "core/result.hpp"

namespace evertick::config {

struct Loaded {
    Settings settings;
    Mode mode = Mode::run;
    std::vector<Origin> origins = std::vector<Origin>(kSettings.fields.size());  // as kSettings.fields
};

// arguments: without the program's name. Nothing is judged beyond the command line for --help and --version,
// and access (see access.hpp) only where a server would listen: to run and for --check-config.
// errors: ERR, BADARG: one line that names the file and line, the variable or the flag, and what would be
//         right
core::Result<Loaded> load(std::span<const char* const> arguments, Environment environment);

// Where the settings come from, in short: "defaults", "evertick.toml, environment, command line".
std::string sources(const Loaded& loaded);

}  // namespace evertick::config
