#pragma once
// The clients that are logging in: each waits for its password to be checked and, when it was wrong, until
// its peer's penalty is over. Nobody else waits: not the tick, not clients of other peers.
//
// A peer is judged one attempt at a time, and not while its penalty lasts: opening more connections makes
// nobody guess faster. What waits is bounded, in all and for each peer; beyond that begin() refuses.
// Not thread-safe; the time is an argument. Answers are given from within advance() and cut_short() only.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>

#include "core/result.hpp"
#include "server/access/hash_thread.hpp"
#include "server/access/password.hpp"
#include "server/access/penalties.hpp"
#include "server/protocol/client.hpp"

namespace evertick::access {

// Without a password nobody has to log in.
struct Users {
    std::shared_ptr<Password> full;      // user "default": everything
    std::shared_ptr<Password> readonly;  // user "readonly": what the table of commands marks as reading
};

struct Attempt {
    std::string peer;  // peer_of() of its address
    std::string user;
    std::string password;
};
using Answer = std::function<void(const core::Result<protocol::Role>&)>;

class Logins {
  public:
    using TimePoint = Penalties::TimePoint;
    static constexpr std::size_t kMaxWaiting = 256;
    static constexpr std::size_t kMaxWaitingOfPeer = 16;

    Logins(Users users, HashThread& thread) : users_(std::move(users)), thread_(thread) {}

    const Users& users() const { return users_; }
    void replace(Users users) { users_ = std::move(users); }  // for attempts not yet under way

    // The answer comes from a later advance(). errors: LIMIT
    core::Result<> begin(Attempt attempt, Answer answer);
    // Does what is due. Returns when to be called again, at the latest: TimePoint::max() when none waits, or
    // only for the thread.
    TimePoint advance(TimePoint now);
    // Answers everybody who waits with an error: the server ends.
    void cut_short();

    std::size_t waiting() const { return waiting_.size(); }

  private:
    enum class Stage : std::uint8_t { arrived, checking, judged };
    struct Waiting {
        std::uint64_t ticket = 0;
        Attempt attempt;
        Answer answer;
        Stage stage = Stage::arrived;
        std::shared_ptr<Password> password;  // checked against
        protocol::Role role = protocol::Role::nobody;
        bool right = false;
        TimePoint due;
    };

    void take_checked(TimePoint now);
    void start_check(Waiting& waiting, TimePoint now);
    void judge(Waiting& waiting, bool right, TimePoint now);
    bool is_being_checked(const std::string& peer) const;

    Users users_;
    HashThread& thread_;
    Penalties penalties_;
    std::list<Waiting> waiting_;  // in order of arrival
    std::uint64_t last_ticket_ = 0;
};

}  // namespace evertick::access
