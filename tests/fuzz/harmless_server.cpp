#include "tests/fuzz/harmless_server.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "core/verify.hpp"
#include "server/systems/schedule.hpp"
#include "tests/fuzz/reply_check.hpp"
#include "tests/fuzz/world_digest.hpp"

namespace evertick::fuzz {
namespace {

using core::verify;
using protocol::Encoding;
using protocol::Role;

constexpr server::Duration kCommand = std::chrono::microseconds(3);  // what each seems to take
constexpr std::uint64_t kSlowEvery = 5;                              // and those are slow
constexpr server::Duration kSlow = std::chrono::milliseconds(20);
constexpr std::size_t kTicksAtOnce = 4;  // of a sprint, before others are served
constexpr std::string_view kPassword = "secret";

// Small limits are met by small inputs.
config::Settings small_settings() {
    config::Settings settings;
    settings.max_entities = HarmlessServer::kMaxEntities;
    settings.max_query_rows = 100;
    settings.slowlog_length = 8;
    settings.max_bulk_bytes_before_login = 64;
    settings.output_soft_limit_bytes = 32 << 10;
    settings.output_hard_limit_bytes = 256 << 10;
    settings.push_queue_bytes = 2048;
    return settings;
}

// Of two machines.
std::string address_of(std::uint64_t client_id) {
    return "127.0.0." + std::to_string(1 + client_id % 2) + ":" + std::to_string(50'000 + client_id);
}

core::Result<Role> right_verdict(std::string_view user, std::string_view password) {
    for (const Role role : {Role::full, Role::readonly})
        if (password == kPassword && user == protocol::name(role)) return role;
    return core::failure(core::ErrorCode::wrongpass, "wrong user name or password");
}

}  // namespace

HarmlessServer::HarmlessServer()
    : settings_(small_settings()),
      now_(std::chrono::hours(1)),
      clock_(
          server::pacing(settings_), [this] { return now_; },
          [this](const commands::Waiter& waiter, bool complete) { tick_reached(waiter, complete); }, [] {}),
      live_settings_(
          settings_,
          [this](const config::Settings& settings, auto) {
              take_over(settings);
              return core::Result<>();
          },
          [] { return commands::Reloaded{}; }),
      profile_([this] { return now_; }),
      monitors_(*this, [] { return std::chrono::system_clock::time_point(std::chrono::seconds(1)); }),
      dispatcher_({world_, scratch_, clock_, *this, live_settings_, process_, *this, streams_, monitors_,
                   profile_, slow_log_, command_times_, long_commands_},
                  traffic_, [] {}) {
    world_.max_entities = settings_.max_entities;
    process_.seconds_per_look = 0.001;
    take_over(settings_);
}

void HarmlessServer::take_over(const config::Settings& settings) {
    settings_ = settings;
    options_ = server::net_options(settings_);
    clock_.set_rate(settings_.tick_rate_hz);
    slow_log_.set_limits(server::slow_log_limits(settings_));
}

// ---- clients ----

std::uint64_t HarmlessServer::connect() {
    const std::uint64_t id = ++last_id_;
    protocol::Client client{.id = id,
                            .address = address_of(id),
                            .local_address = "127.0.0.1:7777",
                            .connected_at = now_,
                            .last_active_at = now_};
    const auto made = peers_.try_emplace(id, options_, *this, std::move(client)).first;
    made->second.exchange.start();
    return id;
}

bool HarmlessServer::is_connected(std::uint64_t client_id) const {
    const auto found = peers_.find(client_id);
    return found != peers_.end() && !found->second.input_ended;
}

void HarmlessServer::receive(std::uint64_t client_id, std::string_view bytes) {
    net::Exchange& exchange = peers_.at(client_id).exchange;
    std::ranges::copy(bytes, exchange.prepare(bytes.size()).begin());
    exchange.commit(bytes.size());
    serve_all();
}

void HarmlessServer::end_input(std::uint64_t client_id) {
    Peer& peer = peers_.at(client_id);
    peer.input_ended = true;
    peer.exchange.end_input();
    serve_all();
}

void HarmlessServer::stop_reading(std::uint64_t client_id) { peers_.at(client_id).reads = false; }

void HarmlessServer::read_on(std::uint64_t client_id) {
    peers_.at(client_id).reads = true;
    serve_all();
}

void HarmlessServer::close(std::uint64_t client_id) {
    Peer& peer = peers_.at(client_id);
    peer.closing = true;
    dispatcher_.disconnected(peer.exchange.client());
    peers_.erase(client_id);
    digest_.reset();  // it may have ended a sprint
}

// ---- serving them ----

void HarmlessServer::serve_all() {
    std::vector<std::uint64_t> ids;
    for (const auto& [id, peer] : peers_) ids.push_back(id);
    for (const std::uint64_t id : ids) serve(id);
}

void HarmlessServer::serve(std::uint64_t client_id) {
    const auto found = peers_.find(client_id);
    if (found == peers_.end()) return;  // one served before has killed it
    Peer& peer = found->second;
    const bool stays = run_requests(peer);
    peer.exchange.check_invariants();
    if (!stays || peer.exchange.is_done()) close(client_id);
}

// Whether the client may stay.
bool HarmlessServer::run_requests(Peer& peer) {
    using Step = net::Exchange::Step;
    net::Exchange& exchange = peer.exchange;
    for (;;) {
        if (peer.reads) exchange.sent(exchange.unsent().size());
        if (!exchange.may_step()) return true;
        const Step step = exchange.step();
        if (step == Step::overflow) return false;
        if (step != Step::executed) continue;
        now_ += kCommand;
        dispatcher_.took(exchange.client(), requests_ % kSlowEvery == 0 ? kSlow : kCommand);
    }
}

void HarmlessServer::resume(std::uint64_t client_id, std::string_view reply) {
    const auto found = peers_.find(client_id);
    if (found == peers_.end() || found->second.closing) return;  // cut short as it went
    Peer& peer = found->second;
    verify(check_values(reply, peer.awaited) == 1, "who waits is answered once");
    std::string bytes(reply);
    verify(peer.exchange.resume(bytes), "who is answered later has waited");
}

// ---- what happens meanwhile ----

void HarmlessServer::tick() {
    now_ += std::chrono::duration_cast<server::Duration>(std::chrono::duration<double>(clock_.dt().value));
    for (std::size_t left = kTicksAtOnce; left > 0 && clock_.next_due() <= now_; --left) {
        clock_.begin_tick();
        systems::step(world_, clock_.dt(), scratch_, &profile_);
        clock_.end_tick();
        streams_.publish(scratch_);
    }
    streams_.publish(scratch_);
    work();
}

void HarmlessServer::work() {
    answer_logins();
    if (!long_commands_.empty())
        if (const auto done = long_commands_.work(world_.tick)) resume(done->client_id, done->reply);
    digest_.reset();
    serve_all();
}

void HarmlessServer::ask_passwords() {
    const auto password = [] {
        return std::make_shared<access::Password>(access::Password::parse(kPassword).value());
    };
    logins_.replace({.full = password(), .readonly = password()});
}

// As the Gatekeeper does it, without a loop to wait in.
core::Result<> HarmlessServer::log_in(const protocol::Client& client, std::string_view user,
                                      std::string_view password, Answer answer) {
    auto reply = [this, id = client.id, right = right_verdict(user, password),
                  earliest = now_ + access::Penalties::kFirst,
                  answer = std::move(answer)](const core::Result<Role>& verdict) {
        verify(verdict.has_value() == right.has_value(), "who knows the password is let in, and nobody else");
        verify(!verdict || *verdict == *right, "as who it is");
        verify(verdict || now_ >= earliest, "a wrong one waits for its penalty");
        const auto found = peers_.find(id);
        if (found == peers_.end()) return;
        Peer& peer = found->second;
        std::string out;
        answer(peer.exchange.client(), verdict, out);
        if (peer.awaited != Encoding::json)
            peer.awaited = peer.exchange.client().encoding();  // HELLO's choice
        resume(id, out);
    };
    return logins_.begin({access::peer_of(client.address), std::string(user), std::string(password)},
                         std::move(reply));
}

void HarmlessServer::answer_logins() {
    const auto next = logins_.advance(now_);
    if (next == access::Logins::TimePoint::max()) return;
    now_ = std::max(now_, next);
    logins_.advance(now_);
}

void HarmlessServer::tick_reached(const commands::Waiter& waiter, bool complete) {
    const core::Result<core::Tick> reached =
        complete ? core::Result<core::Tick>(world_.tick) : core::failure(core::ErrorCode::err, "cut short");
    std::string reply;
    commands::write_tick_reached(waiter, reached, world_.tick, reply);
    resume(waiter.client_id, reply);
}

bool HarmlessServer::is_idle() const {
    const bool nobody_waits = std::ranges::none_of(peers_, [](const auto& entry) {
        return entry.second.exchange.state() == net::Exchange::State::waiting;
    });
    return nobody_waits && logins_.waiting() == 0 && long_commands_.empty();
}

void HarmlessServer::end() {
    while (!peers_.empty() || !is_idle()) {
        for (auto& [id, peer] : peers_) {
            peer.reads = true;
            peer.exchange.end_input();
        }
        clock_.pause();
        work();
    }
    verify(streams_.empty() && !monitors_.any() && !world_.events.listening(), "nobody listens any more");
    verify(world_.registry.alive_count() <= kMaxEntities, "no more entities than allowed");
    world_.registry.check_invariants();
    world_.spatial_index.refresh(world_.registry, scratch_);
    world_.spatial_index.check_invariants(world_.registry);
    scratch_.check_invariants();
    const core::MemMark mark(scratch_);  // aborts if somebody left one open
}

// ---- what commands know ----

void HarmlessServer::for_each(const std::function<void(const protocol::Client&)>& visit) const {
    for (const auto& [id, peer] : peers_) visit(peer.exchange.client());
}

bool HarmlessServer::kill(std::uint64_t client_id) {
    const auto found = peers_.find(client_id);
    if (found == peers_.end()) return false;
    net::Exchange& exchange = found->second.exchange;
    if (exchange.is_executing())
        exchange.finish();
    else
        close(client_id);
    return true;
}

const protocol::Client* HarmlessServer::find(std::uint64_t client_id) const {
    const auto found = peers_.find(client_id);
    return found == peers_.end() ? nullptr : &found->second.exchange.client();
}

bool HarmlessServer::push(std::uint64_t client_id, std::string_view bytes) {
    const auto found = peers_.find(client_id);
    if (found == peers_.end() || found->second.closing) return false;
    net::Exchange& exchange = found->second.exchange;
    verify(check_values(bytes, exchange.client().encoding()) == 1, "what is pushed is one value");
    if (!exchange.push(bytes)) return false;
    if (exchange.is_executing()) pushed_bytes_ += bytes.size();
    return true;
}

std::size_t HarmlessServer::digest() {
    if (!digest_) digest_ = digest_of(world_);
    return *digest_;
}

}  // namespace evertick::fuzz
