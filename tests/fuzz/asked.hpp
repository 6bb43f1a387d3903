#pragma once
// What a request asks for, told without running it.

#include <cstddef>
#include <span>
#include <string_view>

#include "server/commands/command.hpp"

namespace evertick::fuzz {

struct Asked {
    const commands::Command* command = nullptr;  // nullptr when there is none
    bool json = false;
};

// Of the words, without what may stand before the command.
Asked read_asked(std::span<const std::string_view> words);

}  // namespace evertick::fuzz
