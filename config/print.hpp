#pragma once
// The settings as text: for --help, for --print-config, and as the example file.

#include <string>

#include "config/load.hpp"

namespace evertick::config {

// Usage, every setting with its help, accepted form and default, and the other options.
std::string help_text();

// A TOML file that reads back to the same settings, each with its origin as a comment.
std::string print_config(const Loaded& loaded);

// The text of config/evertick.toml: every setting at its default, explained.
std::string example_file();

}  // namespace evertick::config
