#pragma once
// Logging in as the server does it: the password files, the logins under way, the loop that brings their
// verdicts, and the replies.
// Not thread-safe.

#include <functional>
#include <memory>

#include "config/settings.hpp"
#include "server/access/hash_thread.hpp"
#include "server/access/logins.hpp"
#include "server/commands/context.hpp"
#include "server/net/listener.hpp"
#include "server/net/timer.hpp"
#include "server/net/wakeable.hpp"

namespace evertick::server {

// The passwords of the settings' files. errors: ERR, BADARG: name setting and file
core::Result<access::Users> read_users(const config::Settings& settings);

class Gatekeeper final : public commands::Access {
  public:
    // loop and listener outlive its last login.
    Gatekeeper(net::EventLoop& loop, net::Listener& listener, access::Users users);
    ~Gatekeeper() override;

    bool asks() const override { return logins_.users().full != nullptr; }
    core::Result<> log_in(const protocol::Client& client, std::string_view user, std::string_view password,
                          Answer answer) override;

    // Those who are in stay in.
    void replace(access::Users users) { logins_.replace(std::move(users)); }
    void cut_short() { logins_.cut_short(); }

  private:
    class Turn;
    void advance();

    net::EventLoop& loop_;
    net::Listener& listener_;
    std::shared_ptr<Turn> turn_;
    net::Timer timer_;
    access::HashThread thread_;
    access::Logins logins_;
};

}  // namespace evertick::server
