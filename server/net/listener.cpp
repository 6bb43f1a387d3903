#include "server/net/listener.hpp"

#include <algorithm>
#include <exception>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "core/verify.hpp"
#include "server/net/acceptor.hpp"
#include "server/net/session.hpp"
#include "server/net/timer.hpp"
#include "server/net/unix_socket.hpp"

namespace evertick::net {
namespace {

// How often the patrol looks after sessions, and how many it visits: all, or as many as make a second a
// round.
constexpr std::chrono::milliseconds kPatrolPeriod{100};
constexpr std::size_t kPatrolRoundsPerSecond = 10;
constexpr std::size_t kPatrolVisits = 256;

// What is given up at a time when clients hold too much: so much of the limit, so that the search for those
// who hold the most is worth it.
constexpr std::size_t kReliefDivisor = 8;

}  // namespace

struct Listener::Impl {
    Impl(EventLoop& loop, RequestSink& sink, const Options& options)
        : surroundings{.loop = loop,
                       .sink = sink,
                       .options = options,
                       .closed = [this](const Session& session) { sessions.erase(session.client().id); },
                       .relieve = [this] { relieve(); }},
          patrol(loop, [this] { go_on_patrol(); }) {
        patrol.every(kPatrolPeriod);
    }

    void listen_on(Fd socket);
    void accepted(Fd socket, const Endpoint& peer);
    void admit(Fd socket, const Endpoint& peer);
    void go_on_patrol();
    void relieve();
    Session* find(std::uint64_t client_id) const;

    Surroundings surroundings;
    std::map<std::uint64_t, std::shared_ptr<Session>> sessions;  // by client id
    std::uint64_t last_id = 0;
    std::uint64_t last_visited_id = 0;
    bool draining = false;
    std::vector<std::shared_ptr<Acceptor>> acceptors;
    Endpoint local;  // of TCP
    UnixSocketFile unix_file;
    ThrottledReport report_refusal;
    ThrottledReport report_failure;
    Timer patrol;
};

void Listener::Impl::listen_on(Fd socket) {
    tune(socket.get(), surroundings.options.keepalive);
    acceptors.push_back(std::make_shared<Acceptor>(
        surroundings.loop, std::move(socket), surroundings.options,
        [this](Fd connection, const Endpoint& peer) { accepted(std::move(connection), peer); }));
    acceptors.back()->start();
}

void Listener::Impl::accepted(Fd socket, const Endpoint& peer) {
    const EventLoop::TimePoint now = EventLoop::Clock::now();
    const Options& options = surroundings.options;
    if (!has_place(options, sessions.size(), peer.loopback)) {
        Acceptor::refuse(socket, "-ERR max number of clients reached\r\n");
        report_refusal(options.report,
                       peer.text + " was refused: there are " + std::to_string(sessions.size()) +
                           " clients of at most " + std::to_string(options.max_clients),
                       now);
        return;
    }
    try {
        admit(std::move(socket), peer);
    } catch (const std::exception& error) {  // no memory or no room in the kernel: of this connection alone
        report_failure(options.report, peer.text + " was closed: " + error.what(), now);
    }
}

void Listener::Impl::admit(Fd socket, const Endpoint& peer) {
    protocol::Client client;
    client.id = ++last_id;
    client.address = peer.text;
    client.local_address = local_endpoint(socket.get()).text;
    client.connected_at = client.last_active_at = EventLoop::Clock::now();
    const auto session = std::make_shared<Session>(surroundings, std::move(socket), std::move(client));
    sessions.emplace_hint(sessions.end(), last_id, session);
    session->start();
}

void Listener::Impl::go_on_patrol() {
    for (const auto& acceptor : acceptors) acceptor->retry_when_paused();
    const EventLoop::TimePoint now = EventLoop::Clock::now();
    std::size_t visits =
        draining ? sessions.size() : std::max(kPatrolVisits, sessions.size() / kPatrolRoundsPerSecond);
    auto next = sessions.upper_bound(last_visited_id);
    for (; visits > 0 && next != sessions.end(); --visits) {
        const std::shared_ptr<Session> session = next->second;
        last_visited_id = next->first;
        ++next;  // before the session may erase itself
        session->check_time(now);
    }
    if (next == sessions.end()) last_visited_id = 0;
}

void Listener::Impl::relieve() {
    const std::size_t limit = surroundings.options.clients_memory_bytes;
    std::vector<std::pair<std::size_t, std::uint64_t>> holders;  // bytes, client id
    holders.reserve(sessions.size());
    for (const auto& [id, session] : sessions) holders.emplace_back(session->held_bytes(), id);
    std::ranges::sort(holders, std::greater());
    for (const auto& [bytes, id] : holders) {
        if (surroundings.held_bytes <= limit - limit / kReliefDivisor) return;
        const std::shared_ptr<Session> session = sessions.at(id);  // it erases itself
        session->fail("clients hold more than " + std::to_string(limit) +
                      " bytes together, and it the most, " + std::to_string(bytes));
    }
}

Session* Listener::Impl::find(std::uint64_t client_id) const {
    const auto found = sessions.find(client_id);
    return found == sessions.end() ? nullptr : found->second.get();
}

Listener::Listener(EventLoop& loop, RequestSink& sink, const Options& options)
    : impl_(std::make_unique<Impl>(loop, sink, options)) {}

Listener::~Listener() {
    stop_accepting();
    close_all();
}

core::Result<> Listener::open(const std::string& address, std::uint16_t port) {
    core::verify(impl_->local.text.empty(), "Listener::open: it listens already");
    core::Result<Fd> socket = open_listening_socket(address, port);
    if (!socket) return std::unexpected(std::move(socket).error());
    impl_->local = local_endpoint(socket->get());
    impl_->listen_on(*std::move(socket));
    return {};
}

core::Result<> Listener::open_unix(const std::string& path, mode_t permissions) {
    core::Result<UnixListening> listening = open_unix_socket(path, permissions);
    if (!listening) return std::unexpected(std::move(listening).error());
    impl_->unix_file = std::move(listening->file);
    impl_->listen_on(std::move(listening->socket));
    return {};
}

const std::string& Listener::local_address() const { return impl_->local.text; }

std::uint16_t Listener::port() const { return impl_->local.port; }

void Listener::set_options(const Options& options) {
    impl_->surroundings.options = options;
    for (const auto& acceptor : impl_->acceptors) tune(acceptor->fd(), options.keepalive);
}

const Options& Listener::options() const { return impl_->surroundings.options; }

std::size_t Listener::held_bytes() const { return impl_->surroundings.held_bytes; }

std::size_t Listener::client_count() const { return impl_->sessions.size(); }

void Listener::for_each_client(const std::function<void(const protocol::Client&)>& visit) const {
    for (const auto& [id, session] : impl_->sessions) visit(session->client());
}

protocol::Client* Listener::find(std::uint64_t client_id) const {
    Session* const session = impl_->find(client_id);
    return session == nullptr ? nullptr : &session->client();
}

bool Listener::kill(std::uint64_t client_id) {
    const auto found = impl_->sessions.find(client_id);
    if (found == impl_->sessions.end()) return false;
    const std::shared_ptr<Session> session = found->second;  // it erases itself
    session->kill();
    return true;
}

bool Listener::resume(std::uint64_t client_id, std::string reply) {
    Session* const session = impl_->find(client_id);
    return session != nullptr && session->resume(std::move(reply));
}

bool Listener::push(std::uint64_t client_id, std::string_view bytes) {
    Session* const session = impl_->find(client_id);
    return session != nullptr && session->push(bytes);
}

void Listener::stop_accepting() {
    for (const auto& acceptor : impl_->acceptors) acceptor->close();
    impl_->acceptors.clear();
    impl_->local = {};
    impl_->unix_file = UnixSocketFile();
}

void Listener::drain() {
    impl_->draining = true;
    impl_->last_visited_id = 0;
    for (auto next = impl_->sessions.begin(); next != impl_->sessions.end();) {
        const std::shared_ptr<Session> session = next->second;
        ++next;  // before the session may erase itself
        session->drain();
    }
}

bool Listener::drained() const { return impl_->sessions.empty(); }

void Listener::close_all() {
    while (!impl_->sessions.empty()) {
        const std::shared_ptr<Session> session = impl_->sessions.begin()->second;  // it erases itself
        session->close();
    }
}

}  // namespace evertick::net
