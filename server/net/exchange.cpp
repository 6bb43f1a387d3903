#include "server/net/exchange.hpp"

#include "core/verify.hpp"

namespace evertick::net {

void Exchange::start() {
    sink_.connected(client_);
    follow_role();
}

void Exchange::commit(std::size_t size_bytes) {
    parser_.commit(size_bytes);
    if (size_bytes > 0) has_requests_ = true;
}

void Exchange::drain() {
    draining_ = true;
    end_input();
}

Exchange::Step Exchange::step() {
    using Status = protocol::RequestParser::Status;
    switch (parser_.next()) {
        case Status::request: return execute();
        case Status::incomplete:
            has_requests_ = false;
            if (input_ended_) tell_unfinished();
            return Step::none;
        case Status::malformed: tell(parser_.error()); return Step::none;
        case Status::http: state_ = State::finishing; return Step::http;  // what came before is answered
    }
    std::unreachable();
}

Exchange::Step Exchange::execute() {
    executing_ = true;
    const Next next = sink_.request(client_, parser_.request(), output_);
    executing_ = false;
    follow_role();
    if (state_ == State::open && next == Next::wait) state_ = State::waiting;
    if (state_ == State::open && next == Next::close) state_ = State::finishing;
    return unsent_bytes() > options_.output_hard_bytes ? Step::overflow : Step::executed;
}

void Exchange::tell_unfinished() {
    if (!draining_ && parser_.has_unfinished()) tell(parser_.unfinished_error());
    state_ = State::finishing;
}

void Exchange::tell(const core::Error& error) {
    state_ = State::finishing;
    sink_.protocol_error(client_, error, output_);
}

bool Exchange::resume(std::string& reply) {
    if (state_ != State::waiting) return false;
    if (output_.empty())
        output_.swap(reply);
    else
        output_ += reply;
    state_ = State::open;
    follow_role();
    return true;
}

void Exchange::finish() {
    if (state_ == State::open) state_ = State::finishing;
}

bool Exchange::push(std::string_view bytes) {
    if (state_ == State::finishing || unsent_bytes() + bytes.size() > options_.push_queue_bytes) return false;
    output_ += bytes;
    return true;
}

void Exchange::sent(std::size_t size_bytes) {
    sent_bytes_ += size_bytes;
    // Moving no more than was sent keeps this O(1) for every byte.
    if (sent_bytes_ < output_.size() - sent_bytes_) return;
    output_.erase(0, sent_bytes_);
    sent_bytes_ = 0;
}

void Exchange::lend_output(std::string& spare) {
    if (output_.empty()) output_.swap(spare);
}

void Exchange::return_output(std::string& spare) {
    if (!output_.empty()) return;  // its backlog: it keeps the buffer
    if (output_.capacity() > spare.capacity() && output_.capacity() <= kLargestSpareOutput)
        spare.swap(output_);
    std::string().swap(output_);
}

void Exchange::check_invariants() const {
    parser_.check_invariants();
    core::verify(sent_bytes_ < output_.size() || (sent_bytes_ == 0 && output_.empty()),
                 "what is sent whole is gone");
}

// A client that has not logged in gets stricter limits.
void Exchange::follow_role() {
    const bool has_logged_in = client_.role != protocol::Role::nobody;
    if (std::exchange(has_logged_in_, has_logged_in) == has_logged_in) return;
    parser_.set_limits(has_logged_in ? options_.request : options_.request_before_login);
}

}  // namespace evertick::net
