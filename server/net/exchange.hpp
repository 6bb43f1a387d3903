#pragma once
// What one client says and what it is told, without the socket that carries it: its requests, one after the
// other, the replies and pushes it has not taken yet, and the limits of both.
//
// Bytes come in through prepare() and commit(), and leave through unsent() and sent(). In between, step()
// runs what has come, as far as the client takes its replies.
//
// invariant: replies leave in the order of the requests
// cost:      it allocates nothing in the steady state, given a buffer by lend_output()
// Not thread-safe. What RequestSink throws passes through.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "server/net/options.hpp"
#include "server/net/request_sink.hpp"

namespace evertick::net {

class Exchange {
  public:
    static constexpr std::size_t kLargestSpareOutput = std::size_t{1} << 20;

    enum class State : std::uint8_t {
        open,       // takes requests
        waiting,    // for resume()
        finishing,  // takes nothing more; what is unsent has still to be sent
    };
    enum class Step : std::uint8_t {
        executed,  // a request
        none,      // there was no request; what was malformed or unfinished has been told
        http,      // finishes without an answer
        overflow,  // executed one that left more than Options::output_hard_bytes unsent: close it
    };

    // options and sink outlive it.
    Exchange(const Options& options, RequestSink& sink, protocol::Client client)
        : options_(options), sink_(sink), client_(std::move(client)), parser_(options.request) {}

    void start();

    // --- what comes in ---

    std::span<char> prepare(std::size_t size_bytes) { return parser_.prepare(size_bytes); }
    void commit(std::size_t size_bytes);
    // Nothing more will come: what has come is executed, what is unfinished is told.
    void end_input() { input_ended_ = has_requests_ = true; }
    // The same, but that nobody is to blame for what is unfinished.
    void drain();
    bool may_receive() const {
        return state_ == State::open && !has_requests_ && !input_ended_ && has_room();
    }

    // --- what is done ---

    bool may_step() const { return state_ == State::open && has_requests_ && has_room(); }
    Step step();
    // Brings the reply that a request left open with Next::wait. False when none is awaited.
    bool resume(std::string& reply);
    // Takes nothing more, once the request under way is answered.
    void finish();

    // --- what goes out ---

    // What no request asked for, after the replies there are. False: it takes nothing more, or more than
    // Options::push_queue_bytes would be unsent.
    bool push(std::string_view bytes);
    std::string_view unsent() const { return std::string_view(output_).substr(sent_bytes_); }
    void sent(std::size_t size_bytes);
    // While nothing is unsent it needs no buffer of its own: one lent for a turn does for many.
    void lend_output(std::string& spare);
    void return_output(std::string& spare);

    // --- what it is ---

    State state() const { return state_; }
    bool is_done() const { return state_ == State::finishing && output_.empty(); }
    // Nothing is under way, and it could end without anybody missing a reply.
    bool is_idle() const { return state_ == State::open && !has_requests_ && !executing_ && output_.empty(); }
    bool is_executing() const { return executing_; }  // asked from within its own request
    std::size_t buffer_bytes() const { return parser_.buffer_bytes() + output_.capacity(); }
    void check_invariants() const;
    const protocol::Client& client() const { return client_; }
    protocol::Client& client() { return client_; }

  private:
    Step execute();
    void tell(const core::Error& error);
    void tell_unfinished();
    void follow_role();

    std::size_t unsent_bytes() const { return output_.size() - sent_bytes_; }
    std::size_t soft_limit_bytes() const {
        const std::size_t soft = options_.output_soft_bytes;
        return has_logged_in_ ? soft : std::min(soft, kOutputBytesBeforeLogin);
    }
    bool has_room() const { return unsent_bytes() < soft_limit_bytes(); }

    const Options& options_;
    RequestSink& sink_;
    protocol::Client client_;
    protocol::RequestParser parser_;
    std::string output_;
    std::size_t sent_bytes_ = 0;  // of output_
    State state_ = State::open;
    bool input_ended_ = false;  // by the peer's FIN or by drain()
    bool draining_ = false;
    bool has_requests_ = false;  // the parser may hold a complete request, or what is left at the end
    bool executing_ = false;
    bool has_logged_in_ = true;  // which limits apply
};

}  // namespace evertick::net
