#include "tests/fuzz/harmless_server.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/verify.hpp"
#include "server/commands/table.hpp"
#include "server/systems/schedule.hpp"
#include "tests/fuzz/asked.hpp"
#include "tests/fuzz/reply_check.hpp"
#include "tests/fuzz/world_digest.hpp"

namespace evertick::fuzz {
namespace {

using commands::Command;
using core::verify;
using protocol::Encoding;

constexpr server::Duration kCommand = std::chrono::microseconds(3);  // what each seems to take
constexpr std::uint64_t kSlowEvery = 5;                              // and those are slow
constexpr server::Duration kSlow = std::chrono::milliseconds(20);
constexpr std::size_t kTicksAtOnce = 4;  // of a sprint, before others are served
constexpr std::string_view kPassword = "secret";

config::Settings small_settings() {
    config::Settings settings;
    settings.max_entities = HarmlessServer::kMaxEntities;
    settings.max_query_rows = 100;
    settings.slowlog_length = 8;
    return settings;
}

bool is_of(const Command* command, std::initializer_list<std::string_view> names) {
    return command != nullptr && std::ranges::find(names, command->name) != names.end();
}

bool only_looks(const Command* command) {
    return command == nullptr || command->effect == commands::Effect::reads ||
           command->effect == commands::Effect::connection;
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
    clock_.set_rate(settings_.tick_rate_hz);
    slow_log_.set_limits(server::slow_log_limits(settings_));
}

std::uint64_t HarmlessServer::connect() {
    const std::uint64_t id = ++last_id_;
    protocol::Client client{.id = id,
                            .address = "127.0.0.1:" + std::to_string(50'000 + id),
                            .local_address = "127.0.0.1:7777",
                            .connected_at = now_,
                            .last_active_at = now_};
    const auto made = peers_.try_emplace(id, std::move(client), server::net_options(settings_).request).first;
    dispatcher_.connected(made->second.client);
    follow_role(made->second);
    return id;
}

bool HarmlessServer::is_connected(std::uint64_t client_id) const {
    const auto found = peers_.find(client_id);
    return found != peers_.end() && !found->second.input_ended;
}

void HarmlessServer::receive(std::uint64_t client_id, std::string_view bytes) {
    Peer& peer = peers_.at(client_id);
    std::ranges::copy(bytes, peer.parser.prepare(bytes.size()).begin());
    peer.parser.commit(bytes.size());
    execute(peer);
}

void HarmlessServer::end_input(std::uint64_t client_id) {
    Peer& peer = peers_.at(client_id);
    peer.input_ended = true;
    execute(peer);
}

void HarmlessServer::read_pushes(std::uint64_t client_id) { peers_.at(client_id).unread_bytes = 0; }

void HarmlessServer::vanish(std::uint64_t client_id) { close(client_id); }

void HarmlessServer::close(std::uint64_t client_id) {
    Peer& peer = peers_.at(client_id);
    peer.state = State::closed;
    dispatcher_.disconnected(peer.client);
    peers_.erase(client_id);
    digest_.reset();  // it may have ended a sprint
}

void HarmlessServer::execute(Peer& peer) {
    using Status = protocol::RequestParser::Status;
    const std::uint64_t id = peer.client.id;
    Status status = Status::incomplete;
    while (peer.state == State::open && (status = peer.parser.next()) == Status::request)
        execute_request(peer);
    peer.parser.check_invariants();
    if (peer.state == State::waiting) return;
    std::string error;
    if (status == Status::malformed)
        dispatcher_.protocol_error(peer.client, peer.parser.error(), error);
    else if (peer.state == State::open && peer.input_ended && peer.parser.has_unfinished())
        dispatcher_.protocol_error(peer.client, peer.parser.unfinished_error(), error);
    if (!error.empty()) {
        verify(check_values(error, peer.client.encoding()) == 1, "a malformed request is told once");
        verify(is_error(error, peer.client.encoding()), "as an error");
    }
    if (status == Status::malformed || status == Status::http || peer.input_ended) peer.state = State::closed;
    if (peer.state == State::closed) close(id);
}

void HarmlessServer::execute_request(Peer& peer) {
    const auto words = peer.parser.request().words;
    const Asked asked = read_asked(words);
    const bool queues = peer.client.transaction != nullptr && !is_of(asked.command, {"EXEC"});
    const std::size_t before = digest();
    Encoding encoding = asked.json ? Encoding::json : peer.client.encoding();
    std::string reply;

    executing_ = peer.client.id;
    const net::Next next = dispatcher_.request(peer.client, peer.parser.request(), reply);
    executing_ = 0;
    verify(++requests_ == traffic_.commands, "every command is counted");
    now_ += kCommand;
    dispatcher_.took(peer.client, requests_ % kSlowEvery == 0 ? kSlow : kCommand);

    if (is_of(asked.command, {"HELLO"}) && encoding != Encoding::json) encoding = peer.client.encoding();
    check_reply(asked.command, reply, encoding, next == net::Next::wait);
    const bool looks = only_looks(asked.command) && !is_of(asked.command, {"EXEC"});
    digest_.reset();
    if (next != net::Next::wait && (queues || looks || is_error(reply, encoding)))
        verify(digest() == before, "what fails or only looks changes nothing");

    follow_role(peer);
    if (peer.state == State::open && next == net::Next::wait) peer.state = State::waiting;
    if (next == net::Next::close) peer.state = State::closed;
    peer.awaited = encoding;
}

void HarmlessServer::check_reply(const Command* command, std::string_view reply, Encoding encoding,
                                 bool waits) {
    if (waits) return verify(reply.empty(), "what waits has not answered");
    const bool for_each_name = is_of(command, {"SUBSCRIBE", "PSUBSCRIBE", "UNSUBSCRIBE", "PUNSUBSCRIBE"});
    const std::size_t replies = check_values(reply, encoding);
    verify(replies == 1 || (for_each_name && replies > 1), "a command is answered once");
    const bool exec = is_of(command, {"EXEC"});
    verify(reply.size() <= (exec ? kMaxExecBytes : kMaxReplyBytes), "a reply is bounded");
}

void HarmlessServer::resume(std::uint64_t client_id, std::string_view reply) {
    const auto found = peers_.find(client_id);
    if (found == peers_.end() || found->second.state == State::closed) return;  // cut short as it went
    Peer& peer = found->second;
    verify(peer.state == State::waiting, "who is answered later has waited");
    verify(check_values(reply, peer.awaited) == 1, "who waits is answered once");
    peer.state = State::open;
    follow_role(peer);
}

// Smaller limits before the login, as a session does it.
void HarmlessServer::follow_role(Peer& peer) {
    const net::Options options = server::net_options(settings_);
    const bool logged_in = peer.client.role != protocol::Role::nobody;
    peer.parser.set_limits(logged_in ? options.request : options.request_before_login);
}

void HarmlessServer::tick() {
    now_ += std::chrono::duration_cast<server::Duration>(std::chrono::duration<double>(clock_.dt().value));
    for (std::size_t left = kTicksAtOnce; left > 0 && clock_.next_due() <= now_; --left) {
        clock_.begin_tick();
        systems::step(world_, clock_.dt(), scratch_, &profile_);
        clock_.end_tick();
        streams_.publish(scratch_);
    }
    streams_.publish(scratch_);
    digest_.reset();
    work();
}

void HarmlessServer::work() {
    answer_login();
    if (!long_commands_.empty())
        if (const auto done = long_commands_.work(world_.tick)) resume(done->client_id, done->reply);
    digest_.reset();
    std::vector<std::uint64_t> ids;
    for (const auto& [id, peer] : peers_) ids.push_back(id);
    for (const std::uint64_t id : ids)  // those answered go on, and may close others
        if (const auto found = peers_.find(id); found != peers_.end()) execute(found->second);
}

void HarmlessServer::ask_passwords() { asks_ = true; }

core::Result<> HarmlessServer::log_in(const protocol::Client& client, std::string_view user,
                                      std::string_view password, Answer answer) {
    core::Result<protocol::Role> verdict = core::failure(core::ErrorCode::wrongpass, "wrong");
    if (password == kPassword && user == name(protocol::Role::full)) verdict = protocol::Role::full;
    if (password == kPassword && user == name(protocol::Role::readonly)) verdict = protocol::Role::readonly;
    logins_.push_back({client.id, verdict, std::move(answer)});
    return {};
}

void HarmlessServer::answer_login() {
    if (logins_.empty()) return;
    const Login login = std::move(logins_.front());
    logins_.erase(logins_.begin());
    const auto found = peers_.find(login.client_id);
    if (found == peers_.end()) return;
    Peer& peer = found->second;
    std::string reply;
    login.answer(peer.client, login.verdict, reply);
    if (peer.awaited != Encoding::json) peer.awaited = peer.client.encoding();  // HELLO has chosen anew
    resume(login.client_id, reply);
}

void HarmlessServer::tick_reached(const commands::Waiter& waiter, bool complete) {
    const core::Result<core::Tick> reached =
        complete ? core::Result<core::Tick>(world_.tick) : core::failure(core::ErrorCode::err, "cut short");
    std::string reply;
    commands::write_tick_reached(waiter, reached, world_.tick, reply);
    resume(waiter.client_id, reply);
}

bool HarmlessServer::is_idle() const {
    const bool nobody_waits =
        std::ranges::none_of(peers_, [](const auto& peer) { return peer.second.state == State::waiting; });
    return nobody_waits && logins_.empty() && long_commands_.empty();
}

void HarmlessServer::end() {
    while (!is_idle()) {
        clock_.pause();
        work();
    }
    while (!peers_.empty()) end_input(peers_.begin()->first);
    verify(streams_.empty() && !monitors_.any() && !world_.events.listening(), "nobody listens any more");
    verify(world_.registry.alive_count() <= kMaxEntities, "no more entities than allowed");
    world_.registry.check_invariants();
    world_.spatial_index.refresh(world_.registry, scratch_);
    world_.spatial_index.check_invariants(world_.registry);
    scratch_.check_invariants();
    const core::MemMark mark(scratch_);  // aborts if somebody left one open
}

void HarmlessServer::for_each(const std::function<void(const protocol::Client&)>& visit) const {
    for (const auto& [id, peer] : peers_) visit(peer.client);
}

bool HarmlessServer::kill(std::uint64_t client_id) {
    const auto found = peers_.find(client_id);
    if (found == peers_.end()) return false;
    if (client_id == executing_)
        found->second.state = State::closed;  // after its reply
    else
        close(client_id);
    return true;
}

const protocol::Client* HarmlessServer::find(std::uint64_t client_id) const {
    const auto found = peers_.find(client_id);
    return found == peers_.end() ? nullptr : &found->second.client;
}

bool HarmlessServer::push(std::uint64_t client_id, std::string_view bytes) {
    const auto found = peers_.find(client_id);
    if (found == peers_.end() || found->second.state == State::closed) return false;
    Peer& peer = found->second;
    verify(check_values(bytes, peer.client.encoding()) == 1, "what is pushed is one value");
    if (peer.unread_bytes + bytes.size() > kPushQueueBytes) return false;
    peer.unread_bytes += bytes.size();
    return true;
}

std::size_t HarmlessServer::digest() {
    if (!digest_) digest_ = digest_of(world_);
    return *digest_;
}

}  // namespace evertick::fuzz
