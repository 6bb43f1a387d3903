#include "server/access/logins.hpp"

#include <algorithm>
#include <utility>

namespace evertick::access {
namespace {

using core::ErrorCode;
using core::failure;
using protocol::Role;

core::Result<Role> verdict(Role role, bool right) {
    if (right) return role;
    return failure(ErrorCode::wrongpass, "wrong user name or password");
}

}  // namespace

core::Result<> Logins::begin(Attempt attempt, Answer answer) {
    const auto of_peer = std::ranges::count(waiting_, attempt.peer,
                                            [](const Waiting& waiting) { return waiting.attempt.peer; });
    if (waiting_.size() >= kMaxWaiting || std::cmp_greater_equal(of_peer, kMaxWaitingOfPeer))
        return failure(ErrorCode::limit, "too many clients are logging in; try again later");
    waiting_.push_back(
        {.ticket = ++last_ticket_, .attempt = std::move(attempt), .answer = std::move(answer)});
    return {};
}

Logins::TimePoint Logins::advance(TimePoint now) {
    take_checked(now);
    TimePoint next = TimePoint::max();
    for (auto at = waiting_.begin(); at != waiting_.end();) {
        Waiting& waiting = *at;
        if (waiting.stage == Stage::arrived) start_check(waiting, now);
        if (waiting.stage == Stage::judged && waiting.due <= now) {
            const Waiting done = std::move(waiting);
            at = waiting_.erase(at);
            done.answer(verdict(done.role, done.right));
            continue;
        }
        if (waiting.stage == Stage::judged) next = std::min(next, waiting.due);
        if (waiting.stage == Stage::arrived && waiting.due > now) next = std::min(next, waiting.due);
        ++at;
    }
    return next;
}

void Logins::cut_short() {
    for (Waiting& waiting : std::exchange(waiting_, {})) {
        wipe(waiting.attempt.password);
        waiting.answer(failure(ErrorCode::err, "the server ends"));
    }
}

void Logins::take_checked(TimePoint now) {
    for (const HashThread::Checked& checked : thread_.take()) {
        const auto found = std::ranges::find(waiting_, checked.ticket, &Waiting::ticket);
        if (found == waiting_.end()) continue;
        if (checked.right) found->password->remember(found->attempt.password);
        judge(*found, checked.right, now);
    }
}

void Logins::start_check(Waiting& waiting, TimePoint now) {
    Attempt& attempt = waiting.attempt;
    waiting.due = penalties_.until(attempt.peer);
    if (waiting.due > now || is_being_checked(attempt.peer)) return;
    const bool full = attempt.user == protocol::name(Role::full);
    const bool readonly = attempt.user == protocol::name(Role::readonly);
    waiting.role = full ? Role::full : Role::readonly;
    waiting.password = full ? users_.full : readonly ? users_.readonly : nullptr;
    const Match match = waiting.password ? waiting.password->match(attempt.password) : Match::no;
    if (match != Match::unknown) return judge(waiting, match == Match::yes, now);
    waiting.stage = Stage::checking;
    thread_.check(waiting.ticket, waiting.password, attempt.password);
}

void Logins::judge(Waiting& waiting, bool right, TimePoint now) {
    waiting.stage = Stage::judged;
    waiting.right = right;
    waiting.due = right ? now : penalties_.add(waiting.attempt.peer, now);
    wipe(waiting.attempt.password);
}

bool Logins::is_being_checked(const std::string& peer) const {
    return std::ranges::any_of(waiting_, [&](const Waiting& waiting) {
        return waiting.stage == Stage::checking && waiting.attempt.peer == peer;
    });
}

}  // namespace evertick::access
