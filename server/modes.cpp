#include "server/modes.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "config/print.hpp"
#include "core/verify.hpp"
#include "server/healthcheck.hpp"
#include "server/version.hpp"

namespace evertick::server {
namespace {

core::Result<> print(const std::string& text) {
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (written && std::fflush(stdout) == 0) return {};
    return core::failure(core::ErrorCode::err, std::string("standard output: ") + std::strerror(errno));
}

}  // namespace

core::Result<> run_mode(const config::Loaded& loaded) {
    using enum config::Mode;
    switch (loaded.mode) {
        case help: return print(config::help_text());
        case version: return print("evertick " + std::string(kVersion) + "\n");
        case check_config: return print("settings ok: " + config::sources(loaded) + "\n");
        case print_config: return print(config::print_config(loaded));
        case healthcheck: return server::healthcheck(loaded.settings);
        case run: break;
    }
    core::verify_failed("run_mode is for everything but running", std::source_location::current());
}

}  // namespace evertick::server
