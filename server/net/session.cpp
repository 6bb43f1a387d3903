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
      client_(std::move(client)),
      parser_(surroundings.options.request) {}

void Session::start() {
    surroundings_.sink.connected(client_);
    follow_role();
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
    borrow_output();
    receive(now);
    execute(now);
    send(now);
    give_output_back();
    account();
    if (state_ == State::finishing && output_.empty()) return linger(now);
    wait_for_more();
}

void Session::receive(TimePoint now) {
    if (!readable_ || !may_receive()) return;
    const std::span<char> room = parser_.prepare(read_bytes_);
    const ssize_t size = ::recv(socket_.fd(), room.data(), room.size(), 0);
    if (size < 0) {
        readable_ = errno == EINTR;
        if (!is_for_now(errno)) close();
        return;
    }
    readable_ = static_cast<std::size_t>(size) == room.size();
    input_ended_ = size == 0;
    received(static_cast<std::size_t>(size), now);
}

void Session::received(std::size_t size_bytes, TimePoint now) {
    parser_.commit(size_bytes);
    if (size_bytes == 0) return;
    has_requests_ = true;
    client_.last_active_at = now;
    if (size_bytes == read_bytes_)
        read_bytes_ = std::min(2 * read_bytes_, kLargestRead);
    else if (size_bytes < read_bytes_ / 4)
        read_bytes_ = std::max(read_bytes_ / 2, kSmallestRead);
}

void Session::execute(TimePoint now) {
    const Options& options = surroundings_.options;
    const TimePoint end = surroundings_.loop.slice_end(now, options.slice);
    TimePoint began = now;
    for (std::size_t left = options.commands_per_slice; left > 0 && may_execute(); --left) {
        const bool executed = execute_next();
        const TimePoint ended = EventLoop::Clock::now();
        if (executed) surroundings_.sink.took(client_, ended - began);
        if (ended >= end) break;
        began = ended;
    }
    if (state_ == State::open && input_ended_ && !has_requests_) end_of_input();
}

bool Session::execute_next() {
    using Status = protocol::RequestParser::Status;
    switch (parser_.next()) {
        case Status::request: execute_request(); return true;
        case Status::incomplete: has_requests_ = false; break;
        case Status::malformed: answer_error(parser_.error()); break;
        case Status::http:
            surroundings_.report_http(surroundings_.options.report, name() + " speaks HTTP: closed",
                                      EventLoop::Clock::now());
            state_ = State::finishing;  // what was asked before it is answered
            break;
    }
    return false;
}

void Session::execute_request() {
    executing_ = true;
    const Next next = surroundings_.sink.request(client_, parser_.request(), output_);
    executing_ = false;
    follow_role();
    if (state_ == State::open && next == Next::wait) state_ = State::waiting;
    if (state_ == State::open && next == Next::close) state_ = State::finishing;
    if (unsent_bytes() > surroundings_.options.output_hard_bytes)
        fail("it left more than " + std::to_string(surroundings_.options.output_hard_bytes) +
             " bytes of replies unread");
}

void Session::end_of_input() {
    if (!draining_ && parser_.has_unfinished()) answer_error(parser_.unfinished_error());
    state_ = State::finishing;
}

void Session::answer_error(const core::Error& error) {
    state_ = State::finishing;
    surroundings_.sink.protocol_error(client_, error, output_);
}

void Session::send(TimePoint now) {
    if (state_ == State::closed || !writable_ || unsent_bytes() == 0) return;
    const std::size_t size = std::min(unsent_bytes(), kLargestWrite);
    const ssize_t done = ::send(socket_.fd(), output_.data() + sent_bytes_, size, MSG_NOSIGNAL);
    if (done < 0) {
        writable_ = errno == EINTR;
        if (!is_for_now(errno)) close();
        return;
    }
    writable_ = static_cast<std::size_t>(done) == size;
    client_.last_active_at = now;
    sent(static_cast<std::size_t>(done));
}

void Session::sent(std::size_t size_bytes) {
    sent_bytes_ += size_bytes;
    // Moving no more than was sent keeps this O(1) for every byte.
    if (sent_bytes_ < output_.size() - sent_bytes_) return;
    output_.erase(0, sent_bytes_);
    sent_bytes_ = 0;
}

void Session::wait_for_more() {
    if (state_ == State::closed) return;
    if (unsent_bytes() > 0 && !writable_) socket_.wait_writable(shared_from_this());
    const bool has_output_to_send = unsent_bytes() > 0 && writable_;
    if (has_output_to_send || may_execute() || (may_receive() && readable_)) return take_another_turn();
    if (may_receive()) socket_.wait_readable(shared_from_this());
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
    if (state_ != State::waiting) return false;
    try {
        if (output_.empty())
            output_.swap(reply);
        else
            output_ += reply;
    } catch (const std::bad_alloc&) {
        fail("there is no memory for its reply");
        return true;
    }
    account();
    if (state_ == State::closed) return true;
    state_ = State::open;
    follow_role();
    take_another_turn();
    return true;
}

// Not accounted for until its next turn: that may close others, of whom the caller may be in the middle.
bool Session::push(std::string_view bytes) {
    const bool lives = state_ == State::open || state_ == State::waiting;
    if (!lives || unsent_bytes() + bytes.size() > surroundings_.options.push_queue_bytes) return false;
    output_ += bytes;
    take_another_turn();
    return true;
}

void Session::kill() {
    if (!executing_) return close();
    if (state_ == State::open) state_ = State::finishing;
}

void Session::drain() {
    draining_ = input_ended_ = true;
    take_another_turn();
}

void Session::close() {
    if (std::exchange(state_, State::closed) == State::closed) return;
    socket_.close();
    account();
    surroundings_.sink.disconnected(client_);
    surroundings_.closed(*this);
}

void Session::check_time(TimePoint now) {
    const std::chrono::seconds idle_timeout = surroundings_.options.idle_timeout;
    if (state_ == State::waiting && is_broken(socket_.fd())) return close();
    const bool lingers = state_ == State::lingering;
    const bool listens = client_.subscriptions > 0 || client_.monitors;
    const bool can_idle = !listens && (state_ == State::open || state_ == State::finishing);
    if (lingers && now - lingers_since_ > (draining_ ? kLingerWhenDraining : kLinger)) return close();
    if (can_idle && idle_timeout.count() > 0 && now - client_.last_active_at > idle_timeout) close();
}

// A client that has not logged in gets stricter limits.
void Session::follow_role() {
    const bool has_logged_in = client_.role != protocol::Role::nobody;
    if (std::exchange(has_logged_in_, has_logged_in) == has_logged_in) return;
    const Options& options = surroundings_.options;
    parser_.set_limits(has_logged_in ? options.request : options.request_before_login);
}

void Session::borrow_output() {
    if (output_.empty()) output_.swap(surroundings_.spare_output);
}

void Session::give_output_back() {
    if (!output_.empty()) return;  // its backlog: it keeps the buffer
    std::string& spare = surroundings_.spare_output;
    if (output_.capacity() > spare.capacity() && output_.capacity() <= kLargestSpareOutput)
        spare.swap(output_);
    std::string().swap(output_);
}

// Where a wait or a turn is due anyway, so that all of them together are never far from what is noted.
void Session::account() {
    const bool open = state_ != State::closed;
    const std::size_t now = open ? parser_.buffer_bytes() + output_.capacity() : 0;
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
    return "client " + std::to_string(client_.id) + " at " + client_.address;
}

}  // namespace evertick::net
