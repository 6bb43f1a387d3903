#pragma once
// One connection: carries an Exchange over its socket, in slices. server/net/README.md tells its life as a
// whole.
//
// Everything happens in turns. A turn reads once, executes one slice, sends once, and then says what it waits
// for: bytes, room to send, or its next turn behind the others.
//
// invariant: once closed it touches nothing but itself
// cost:      a turn allocates nothing in the steady state; an idle connection holds no output buffer, and an
//            input buffer of kSmallestRead to kLargestRead once it has sent something
// Not thread-safe. Nothing a peer does throws out of it.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "server/net/descriptor.hpp"
#include "server/net/exchange.hpp"
#include "server/net/options.hpp"
#include "server/net/request_sink.hpp"
#include "server/net/throttled_report.hpp"

namespace evertick::net {

class Session;

// What the sessions of one listener have in common. Outlives every session that is not closed.
struct Surroundings {
    EventLoop& loop;
    RequestSink& sink;
    Options options;
    std::function<void(const Session&)> closed;  // told once by each session, as the last thing it does
    std::function<void()> relieve;  // told when they hold too much together: closes those who hold the most
    std::size_t held_bytes = 0;     // by all of them
    std::string spare_output;       // lent to the session that has its turn: most need no buffer in between
    ThrottledReport report_http;
    ThrottledReport report_failure;
};

class Session final : public Wakeable {
  public:
    static constexpr std::size_t kSmallestRead = std::size_t{2} * 1024;
    static constexpr std::size_t kLargestRead = std::size_t{16} * 1024;
    static constexpr std::size_t kLargestWrite = std::size_t{64} * 1024;
    static constexpr std::chrono::milliseconds kLinger{1000};
    static constexpr std::chrono::milliseconds kLingerWhenDraining{200};

    // Takes the socket over. Throws std::system_error when the kernel will not watch it.
    Session(Surroundings& surroundings, Fd socket, protocol::Client client);

    void start();
    void wake(Wake why) override;

    // Brings the reply that a request left open with Next::wait. False when none is awaited.
    bool resume(std::string reply);
    // Sends what no request asked for, after the replies there are. False: it is about to close, or more than
    // Options::push_queue_bytes would be unsent.
    bool push(std::string_view bytes);
    // Closes at once; called by its own request, once the reply is flushed.
    void kill();
    // As if the peer had ended its input: executes what was received, flushes, closes. At once when there is
    // nothing of all that.
    void drain();
    // Closes at once.
    void close();
    // Closes it when it has been idle or lingering for too long, or waits for a reply that nobody can take.
    void check_time(EventLoop::TimePoint now);

    // Closes at once, and tells the operator why.
    void fail(std::string_view what);

    std::size_t held_bytes() const { return held_bytes_; }  // input and output, as of its last turn

    const protocol::Client& client() const { return exchange_.client(); }
    protocol::Client& client() { return exchange_.client(); }

  private:
    using TimePoint = EventLoop::TimePoint;

    enum class State : std::uint8_t {
        talking,    // as far as the exchange goes
        lingering,  // has sent everything and its FIN; discards input until the peer closes too
        closed,
    };

    void turn(TimePoint now);
    void receive(TimePoint now);
    void received(std::size_t size_bytes, TimePoint now);
    void execute(TimePoint now);
    void notice(Exchange::Step step);
    void send(TimePoint now);
    void wait_for_more();
    void take_another_turn();
    void linger(TimePoint now);
    void discard();

    void account();
    std::string name() const;

    Surroundings& surroundings_;
    Descriptor socket_;
    Exchange exchange_;
    std::size_t held_bytes_ = 0;
    std::size_t read_bytes_ = kSmallestRead;  // how much to read at once: follows what comes
    TimePoint lingers_since_;
    State state_ = State::talking;
    bool readable_ = false;  // there may be something to read
    bool writable_ = true;   // there may be room to send
    bool draining_ = false;
    bool turn_is_due_ = false;  // posted, not come yet
};

}  // namespace evertick::net
