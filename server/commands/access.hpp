#pragma once
// Who may run which command, and logging in.

#include <functional>

#include "core/result.hpp"
#include "server/commands/command.hpp"
#include "server/commands/table.hpp"

namespace evertick::commands {

// Whether the client may run the command, or any that does not exist (nullptr).
// errors: NOAUTH (it has not logged in), NOPERM (its user may only look)
core::Result<> check_permission(const protocol::Client& client, const Command* command);

// As resolve(), for this client: one that has not logged in learns of no command but those it may run.
// errors: NOAUTH, NOPERM beside those of resolve()
core::Result<Resolved> resolve_for(const protocol::Client& client, std::span<const std::string_view> words);

// Whether its arguments hold a password: they are shown nowhere.
bool takes_password(const Command& command);

// Has a login judged; its reply comes later (After::wait): what `write` writes, or WRONGPASS.
// errors: ERR (nobody has to log in), LIMIT
using WriteWelcome = std::function<void(protocol::Client&, protocol::ReplyWriter&)>;
core::Result<> log_in(Call& call, std::string_view user, std::string_view password, WriteWelcome write);

}  // namespace evertick::commands
