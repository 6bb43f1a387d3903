#include "server/gatekeeper.hpp"

#include <utility>

namespace evertick::server {

// Its turn may be under way when the gatekeeper has gone.
class Gatekeeper::Turn final : public net::Wakeable {
  public:
    explicit Turn(Gatekeeper& owner) : owner_(&owner) {}
    void wake(net::Wake) override {
        if (owner_ != nullptr) owner_->advance();
    }
    void disown() { owner_ = nullptr; }

  private:
    Gatekeeper* owner_;
};

core::Result<access::Users> read_users(const config::Settings& settings) {
    access::Users users;
    const auto read = [](std::string_view setting, const std::string& path,
                         std::shared_ptr<access::Password>& user) -> core::Result<> {
        if (path.empty()) return {};
        auto password = access::read_password(setting, path);
        if (!password) return std::unexpected(password.error());
        user = std::make_shared<access::Password>(*std::move(password));
        return {};
    };
    auto done = read("password-file", settings.password_file, users.full);
    if (done) done = read("readonly-password-file", settings.readonly_password_file, users.readonly);
    if (!done) return std::unexpected(done.error());
    return users;
}

Gatekeeper::Gatekeeper(net::EventLoop& loop, net::Listener& listener, access::Users users)
    : loop_(loop),
      listener_(listener),
      turn_(std::make_shared<Turn>(*this)),
      timer_(loop, [this] { advance(); }),
      thread_([&loop, turn = turn_] { loop.post(turn); }),
      logins_(std::move(users), thread_) {}

Gatekeeper::~Gatekeeper() { turn_->disown(); }

core::Result<> Gatekeeper::log_in(const protocol::Client& client, std::string_view user,
                                  std::string_view password, Answer answer) {
    auto reply = [this, id = client.id,
                  answer = std::move(answer)](const core::Result<protocol::Role>& verdict) {
        protocol::Client* const waiting = listener_.find(id);
        if (waiting == nullptr) return;  // it has gone
        std::string out;
        answer(*waiting, verdict, out);
        listener_.resume(id, std::move(out));
    };
    auto begun = logins_.begin({access::peer_of(client.address), std::string(user), std::string(password)},
                               std::move(reply));
    if (begun) loop_.post(turn_);  // not now: the client does not wait yet
    return begun;
}

void Gatekeeper::advance() {
    const auto now = net::EventLoop::Clock::now();
    const auto next = logins_.advance(now);
    if (next != access::Logins::TimePoint::max()) timer_.at(next);
}

}  // namespace evertick::server
