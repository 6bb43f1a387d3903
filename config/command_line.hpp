#pragma once
// The command line: settings as --name value or --name=value (booleans: --name or --name=false), which file
// to read, and what to do.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "config/assignment.hpp"

namespace evertick::config {

enum class Mode : std::uint8_t { run, help, version, check_config, print_config, healthcheck, hash_password };

struct CommandLine {
    Mode mode = Mode::run;
    std::string config_file;  // empty: none is read
    std::vector<Assignment> assignments;
};

// An option that is no setting.
struct ModeOption {
    std::string_view flag, help;
    Mode mode;
};
std::span<const ModeOption> mode_options();

// The arguments without the program's name. --help and --version win over every mistake beside them.
// errors: ERR: unknown option (names the nearest), option given twice, value missing, stray word, two modes
core::Result<CommandLine> read_command_line(std::span<const char* const> arguments);

}  // namespace evertick::config
