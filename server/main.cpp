#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <span>
#include <string>
#include <utility>

#include "config/load.hpp"
#include "server/modes.hpp"
#include "server/server.hpp"

using namespace evertick;

namespace {

int exit_with(server::ExitCode code, const std::string& complaint = {}) {
    if (!complaint.empty()) std::fprintf(stderr, "evertick: %s\n", complaint.c_str());
    return std::to_underlying(code);
}

}  // namespace

int main(int count, char** words) {
    std::signal(SIGHUP, SIG_IGN);  // until the server can reload
    const std::span arguments(words + 1, static_cast<std::size_t>(count - 1));
    const auto load = [&] { return config::load(arguments, config::entries(environ)); };

    auto loaded = load();
    if (!loaded) return exit_with(server::ExitCode::usage, loaded.error().message);
    if (loaded->mode != config::Mode::run) {
        const auto done = server::run_mode(*loaded);
        if (done) return exit_with(server::ExitCode::ok);
        const bool judges_input =
            loaded->mode == config::Mode::check_config || loaded->mode == config::Mode::hash_password;
        return exit_with(judges_input ? server::ExitCode::usage : server::ExitCode::internal,
                         done.error().message);
    }
    const auto [code, complaint] = server::run_server(std::move(*loaded), load);
    return exit_with(code, complaint);
}
