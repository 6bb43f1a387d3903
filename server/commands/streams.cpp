#include "server/commands/streams.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "server/commands/context.hpp"

namespace evertick::commands {
namespace {

using core::ErrorCode;
using core::failure;
using world::EventKind;

constexpr std::array kLogged{EventKind::spawn, EventKind::destroy, EventKind::death};

struct Contains {
    const world::Vector3& place;
    bool operator()(std::monostate) const { return true; }
    bool operator()(const world::Nearest&) const { return true; }
    bool operator()(const world::Near& near) const { return world::contains(near, place); }
    bool operator()(const world::Box& box) const { return world::contains(world::ordered(box), place); }
};

// In order of their handles; nothing when they are more than kMaxMembers.
std::optional<std::vector<ecs::Entity>> members_of(world::World& world, const world::Region& region,
                                                   core::MemStack& scratch) {
    const core::MemMark mark(scratch);
    world::Filter filter;
    filter.region = region;
    const auto found = world::select(world, filter, Streams::kMaxMembers + 1, 0, scratch);
    if (found.entities.size() > Streams::kMaxMembers) return std::nullopt;
    std::vector<ecs::Entity> members(found.entities.begin(), found.entities.end());
    std::ranges::sort(members, {}, &ecs::Entity::raw);
    return members;
}

std::vector<world::Event> without(const std::vector<ecs::Entity>& some,
                                  const std::vector<ecs::Entity>& others) {
    std::vector<ecs::Entity> left;
    std::ranges::set_difference(some, others, std::back_inserter(left), {}, &ecs::Entity::raw,
                                &ecs::Entity::raw);
    std::vector<world::Event> events;
    events.reserve(left.size());
    for (const ecs::Entity entity : left) events.push_back({.entity = entity});
    return events;
}

auto same(Subscription::Origin origin, std::string_view name) {
    return [=](const Subscription& other) { return other.origin == origin && other.name == name; };
}

}  // namespace

core::Result<> Streams::add(protocol::Client& client, Subscription subscription, core::MemStack& scratch) {
    if (subscription.watches() && watched() >= kMaxWatched)
        return failure(ErrorCode::limit,
                       "at most " + std::to_string(kMaxWatched) + " regions are watched for enter and leave");
    if (client.subscriptions >= kMaxSubscriptions)
        return failure(ErrorCode::limit,
                       "at most " + std::to_string(kMaxSubscriptions) + " subscriptions of one client");
    if (subscription.watches()) {
        auto members = members_of(world_, subscription.region, scratch);
        if (!members)
            return failure(ErrorCode::limit, "more than " + std::to_string(kMaxMembers) +
                                                 " entities are there: watch a smaller region");
        subscription.members = *std::move(members);
    }
    std::vector<Subscription>& all = clients_[client.id];
    std::erase_if(all, same(subscription.origin, subscription.name));
    all.push_back(std::move(subscription));
    changed(client);
    return {};
}

bool Streams::remove(protocol::Client& client, Subscription::Origin origin, std::string_view name) {
    const auto found = clients_.find(client.id);
    if (found == clients_.end()) return false;
    const std::size_t removed = std::erase_if(found->second, same(origin, name));
    changed(client);
    return removed > 0;
}

void Streams::remove_all(protocol::Client& client) {
    if (clients_.erase(client.id) > 0) changed(client);
}

std::vector<std::string> Streams::names(const protocol::Client& client, Subscription::Origin origin) const {
    std::vector<std::string> names;
    if (const auto found = clients_.find(client.id); found != clients_.end())
        for (const Subscription& subscription : found->second)
            if (subscription.origin == origin) names.push_back(subscription.name);
    return names;
}

void Streams::changed(protocol::Client& client) {
    const auto found = clients_.find(client.id);
    client.subscriptions = found == clients_.end() ? 0 : static_cast<std::uint32_t>(found->second.size());
    if (found != clients_.end() && found->second.empty()) clients_.erase(found);
    if (world_.events.listening() == clients_.empty()) world_.events.listen(!clients_.empty());
}

std::size_t Streams::watched() const {
    std::size_t count = 0;
    for (const auto& [id, subscriptions] : clients_)
        count += static_cast<std::size_t>(std::ranges::count_if(subscriptions, &Subscription::watches));
    return count;
}

void Streams::publish(core::MemStack& scratch) {
    if (clients_.empty()) return;
    everywhere_ = {};
    for (auto& [id, subscriptions] : clients_) {
        const protocol::Client* const client = sessions_.find(id);
        if (client == nullptr) continue;
        for (Subscription& subscription : subscriptions) publish_to(*client, subscription, scratch);
    }
    world_.events.clear();
}

void Streams::publish_to(const protocol::Client& client, Subscription& subscription,
                         core::MemStack& scratch) {
    const bool everywhere = std::holds_alternative<std::monostate>(subscription.region);
    for (const EventKind kind : kLogged) {
        if (!subscription.wants(kind)) continue;
        subscription.lost[static_cast<std::size_t>(kind)] += world_.events.lost(kind);
        send(client, subscription, kind,
             everywhere ? this->everywhere(kind) : within(kind, subscription.region));
    }
    if (subscription.watches()) watch(client, subscription, scratch);
}

const Streams::Bodies& Streams::everywhere(EventKind kind) {
    std::optional<Bodies>& bodies = everywhere_[static_cast<std::size_t>(kind)];
    if (!bodies) bodies = within(kind, {});
    return *bodies;
}

Streams::Bodies Streams::within(EventKind kind, const world::Region& region) const {
    const bool everywhere = std::holds_alternative<std::monostate>(region);
    std::vector<world::Event> events;
    for (const world::Event& event : world_.events.events())
        if (event.kind == kind && (everywhere || (event.place && std::visit(Contains{*event.place}, region))))
            events.push_back(event);
    return message_bodies(kind, world_.tick, events);
}

void Streams::watch(const protocol::Client& client, Subscription& subscription, core::MemStack& scratch) {
    auto members = members_of(world_, subscription.region, scratch);
    if (!members || subscription.crowded) return rest(client, subscription, std::move(members));
    const auto tell = [&](EventKind kind, const std::vector<world::Event>& events) {
        if (subscription.wants(kind))
            send(client, subscription, kind, message_bodies(kind, world_.tick, events));
    };
    tell(EventKind::enter, without(*members, subscription.members));
    tell(EventKind::leave, without(subscription.members, *members));
    subscription.members = *std::move(members);
}

void Streams::rest(const protocol::Client& client, Subscription& subscription,
                   std::optional<std::vector<ecs::Entity>> members) {
    const bool crowded = !members;
    const bool news = std::exchange(subscription.crowded, crowded) != crowded;
    subscription.members = std::move(members).value_or(std::vector<ecs::Entity>());
    for (const EventKind kind : {EventKind::enter, EventKind::leave}) {
        if (!subscription.wants(kind)) continue;
        subscription.lost[static_cast<std::size_t>(kind)] += news ? 1U : 0U;
        send(client, subscription, kind, {});
    }
}

void Streams::send(const protocol::Client& client, Subscription& subscription, EventKind kind,
                   const Bodies& bodies) {
    std::uint64_t& lost = subscription.lost[static_cast<std::size_t>(kind)];
    for (const MessageBody& body : bodies) {
        if (push(client, subscription, kind, body.text, lost))
            lost = 0;
        else
            lost += body.events;
    }
    if (lost == 0 || !bodies.empty()) return;
    if (push(client, subscription, kind, message_body(kind, world_.tick, {}).text, lost)) lost = 0;
}

bool Streams::push(const protocol::Client& client, const Subscription& subscription, EventKind kind,
                   std::string_view body, std::uint64_t lost) {
    const bool by_pattern = subscription.origin == Subscription::Origin::pattern;
    std::string bytes;
    append_push(bytes, client.encoding(),
                by_pattern ? std::string_view(subscription.name) : std::string_view(), channel_of(kind),
                message_text(body, lost));
    return sessions_.push(client.id, bytes);
}

}  // namespace evertick::commands
