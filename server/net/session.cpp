#include "server/net/session.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <new>
#include <span>
#include <utility>

namespace evertick::net {
namespace {

bool is_for_now(int errno_value) { return errno_value == EAGAIN || errno_value == EINTR; }

}  // namespace

Session::Session(Surroundings& surroundings, Fd socket, protocol::Client client)
    : surroundings_(surroundings),
      socket_(surroundings.loop, std::move(socket)),
      exchange_(surroundings.options, surroundings.sink, std::move(client)) {}

void Session::start() {
    exchange_.start();
    wait_for_more();
}

void Session::wake(Wake why) {
    if (why == Wake::readable) readable_ = true;
    if (why == Wake::writable) writable_ = true;
    if (why == Wake::turn) turn_is_due_ = false;
    if (state_ == State::closed) return;
    try {
        turn(EventLoop::Clock::now());
    } catch (const std::exception& error) {  // of this request alone; the others go on
        fail(error.what());
    }
}

void Session::turn(TimePoint now) {
    if (state_ == State::lingering) return discard();
    exchange_.lend_output(surroundings_.spare_output);
    receive(now);
    execute(now);
    send(now);
    exchange_.return_output(surroundings_.spare_output);
    account();
    if (state_ == State::talking && exchange_.is_done()) return linger(now);
    wait_for_more();
}

void Session::receive(TimePoint now) {
    if (!readable_ || !exchange_.may_receive()) return;
    const std::span<char> room = exchange_.prepare(read_bytes_);
    const ssize_t size = ::recv(socket_.fd(), room.data(), room.size(), 0);
    if (size < 0) {
        readable_ = errno == EINTR;
        if (!is_for_now(errno)) close();
        return;
    }
    readable_ = static_cast<std::size_t>(size) == room.size();
    if (size == 0)
        exchange_.end_input();
    else
        received(static_cast<std::size_t>(size), now);
}

void Session::received(std::size_t size_bytes, TimePoint now) {
    exchange_.commit(size_bytes);
    client().last_active_at = now;
    if (size_bytes == read_bytes_)
        read_bytes_ = std::min(2 * read_bytes_, kLargestRead);
    else if (size_bytes < read_bytes_ / 4)
        read_bytes_ = std::max(read_bytes_ / 2, kSmallestRead);
}

void Session::execute(TimePoint now) {
    const Options& options = surroundings_.options;
    const TimePoint end = surroundings_.loop.slice_end(now, options.slice);
    TimePoint began = now;
    for (std::size_t left = options.commands_per_slice;
         left > 0 && state_ == State::talking && exchange_.may_step(); --left) {
        const Exchange::Step step = exchange_.step();
        const TimePoint ended = EventLoop::Clock::now();
        if (step == Exchange::Step::executed || step == Exchange::Step::overflow)
            surroundings_.sink.took(client(), ended - began);
        if (step != Exchange::Step::executed) notice(step);
        if (ended >= end) break;
        began = ended;
    }
}

void Session::notice(Exchange::Step step) {
    if (step == Exchange::Step::http)
        surroundings_.report_http(surroundings_.options.report, name() + " speaks HTTP: closed",
                                  EventLoop::Clock::now());
    if (step == Exchange::Step::overflow)
        fail("it left more than " + std::to_string(surroundings_.options.output_hard_bytes) +
             " bytes of replies unread");
}

void Session::send(TimePoint now) {
    const std::string_view unsent = exchange_.unsent();
    if (state_ == State::closed || !writable_ || unsent.empty()) return;
    const std::size_t size = std::min(unsent.size(), kLargestWrite);
    const ssize_t done = ::send(socket_.fd(), unsent.data(), size, MSG_NOSIGNAL);
    if (done < 0) {
        writable_ = errno == EINTR;
        if (!is_for_now(errno)) close();
        return;
    }
    writable_ = static_cast<std::size_t>(done) == size;
    client().last_active_at = now;
    exchange_.sent(static_cast<std::size_t>(done));
}

void Session::wait_for_more() {
    if (state_ == State::closed) return;
    const bool has_unsent = !exchange_.unsent().empty();
    if (has_unsent && !writable_) socket_.wait_writable(shared_from_this());
    const bool can_receive = exchange_.may_receive();
    if ((has_unsent && writable_) || exchange_.may_step() || (can_receive && readable_))
        return take_another_turn();
    if (can_receive) socket_.wait_readable(shared_from_this());
}

void Session::take_another_turn() {
    if (!std::exchange(turn_is_due_, true)) surroundings_.loop.post(shared_from_this());
}

// Closing with input unread would make the kernel send a reset, and that can overtake the last reply.
void Session::linger(TimePoint now) {
    state_ = State::lingering;
    lingers_since_ = now;
    ::shutdown(socket_.fd(), SHUT_WR);
    discard();
}

void Session::discard() {
    if (!discard_input(socket_.fd())) return close();
    socket_.wait_readable(shared_from_this());
}

bool Session::resume(std::string reply) {
    if (state_ != State::talking) return false;
    try {
        if (!exchange_.resume(reply)) return false;
    } catch (const std::bad_alloc&) {
        fail("there is no memory for its reply");
        return true;
    }
    account();
    if (state_ != State::closed) take_another_turn();
    return true;
}

// Not accounted for until its next turn: that may close others, of whom the caller may be in the middle.
bool Session::push(std::string_view bytes) {
    if (state_ != State::talking || !exchange_.push(bytes)) return false;
    take_another_turn();
    return true;
}

void Session::kill() {
    if (!exchange_.is_executing()) return close();
    exchange_.finish();
}

void Session::drain() {
    // No linger: there is no last reply for a reset to overtake.
    if (state_ == State::talking && exchange_.is_idle() && is_quiet(socket_.fd())) return close();
    draining_ = true;
    exchange_.drain();
    take_another_turn();
}

void Session::close() {
    if (std::exchange(state_, State::closed) == State::closed) return;
    socket_.close();
    account();
    surroundings_.sink.disconnected(client());
    surroundings_.closed(*this);
}

void Session::check_time(TimePoint now) {
    const std::chrono::seconds idle_timeout = surroundings_.options.idle_timeout;
    const bool talks = state_ == State::talking;
    const bool waits = talks && exchange_.state() == Exchange::State::waiting;
    if (waits && is_broken(socket_.fd())) return close();
    const bool lingers = state_ == State::lingering;
    const bool listens = client().subscriptions > 0 || client().monitors;
    const bool can_idle = talks && !waits && !listens;
    if (lingers && now - lingers_since_ > (draining_ ? kLingerWhenDraining : kLinger)) return close();
    if (can_idle && idle_timeout.count() > 0 && now - client().last_active_at > idle_timeout) close();
}

// Where a wait or a turn is due anyway, so that all of them together are never far from what is noted.
void Session::account() {
    const bool open = state_ != State::closed;
    const std::size_t now = open ? exchange_.buffer_bytes() : 0;
    surroundings_.held_bytes += now - std::exchange(held_bytes_, now);
    if (open && surroundings_.held_bytes > surroundings_.options.clients_memory_bytes)
        surroundings_.relieve();
}

void Session::fail(std::string_view what) {
    surroundings_.report_failure(surroundings_.options.report, name() + " was closed: " + std::string(what),
                                 EventLoop::Clock::now());
    close();
}

std::string Session::name() const {
    return "client " + std::to_string(client().id) + " at " + client().address;
}

}  // namespace evertick::net
