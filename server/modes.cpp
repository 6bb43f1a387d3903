#include "server/modes.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "config/print.hpp"
#include "core/verify.hpp"
#include "server/access/password.hpp"
#include "server/gatekeeper.hpp"
#include "server/healthcheck.hpp"
#include "server/version.hpp"

namespace evertick::server {
namespace {

core::Result<> print(const std::string& text) {
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (written && std::fflush(stdout) == 0) return {};
    return core::failure(core::ErrorCode::err, std::string("standard output: ") + std::strerror(errno));
}

// On standard input, so that no list of processes shows it.
core::Result<> hash_password() {
    std::string line(access::Password::kMaxBytes + 2, '\0');
    line.resize(std::fread(line.data(), 1, line.size(), stdin));
    if (line.ends_with('\n')) line.pop_back();
    const auto hash = access::password_hash(line);
    access::wipe(line);
    return hash ? print(*hash + "\n") : std::unexpected(hash.error());
}

core::Result<> check_config(const config::Loaded& loaded) {
    if (auto users = read_users(loaded.settings); !users) return std::unexpected(users.error());
    return print("settings ok: " + config::sources(loaded) + "\n");
}

}  // namespace

core::Result<> run_mode(const config::Loaded& loaded) {
    using enum config::Mode;
    switch (loaded.mode) {
        case help: return print(config::help_text());
        case version: return print("evertick " + std::string(kVersion) + "\n");
        case check_config: return server::check_config(loaded);
        case print_config: return print(config::print_config(loaded));
        case healthcheck: return server::healthcheck(loaded.settings);
        case hash_password: return server::hash_password();
        case run: break;
    }
    core::verify_failed("run_mode is for everything but running", std::source_location::current());
}

}  // namespace evertick::server
