#pragma once
// Who is told of events: the subscriptions of all clients, and what they are sent after each tick.
//
// Spawns, destructions and deaths come from the world's log, which is on only while somebody wants them; of a
// region, those that happened within it. Who entered and left a region is found by comparing who is in it
// with who was at the tick before. While a region holds more than kMaxMembers it is not watched: its client
// has lost an event when that begins, and another when it ends.
// A client that does not read in time misses messages, never slows anybody down, and is told how many events
// it missed by the next message of that kind, which then may name no entity.
// Not thread-safe.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/mem_stack.hpp"
#include "core/result.hpp"
#include "server/commands/event_messages.hpp"
#include "server/protocol/client.hpp"
#include "server/world/query.hpp"
#include "server/world/world.hpp"

namespace evertick::commands {

class Sessions;

struct Subscription {
    enum class Origin : std::uint8_t { events, channel, pattern };  // EVENTS ON, SUBSCRIBE, PSUBSCRIBE

    Origin origin = Origin::channel;
    std::string name;                  // of the channel or pattern
    std::uint32_t kinds = 0;           // bit of each EventKind
    world::Region region;              // Near, Box, or everywhere
    std::vector<ecs::Entity> members;  // of the region at the last tick, in order of their handles
    bool crowded = false;              // too many members to watch
    std::array<std::uint64_t, world::kEventKinds> lost{};

    bool wants(world::EventKind kind) const { return (kinds >> static_cast<unsigned>(kind) & 1U) != 0; }
    bool watches() const { return wants(world::EventKind::enter) || wants(world::EventKind::leave); }
};

class Streams {
  public:
    static constexpr std::size_t kMaxSubscriptions = 32;  // of one client
    static constexpr std::size_t kMaxWatched = 32;        // regions with enter or leave, of all clients
    static constexpr std::size_t kMaxMembers = 4096;      // of one region

    Streams(world::World& world, Sessions& sessions) : world_(world), sessions_(sessions) {}

    // Adds it, or replaces that of the same origin and name.
    // errors: LIMIT
    core::Result<> add(protocol::Client& client, Subscription subscription, core::MemStack& scratch);
    // Returns whether there was one.
    bool remove(protocol::Client& client, Subscription::Origin origin, std::string_view name);
    void remove_all(protocol::Client& client);
    // The names of a client's channels, or patterns, in the order of subscribing.
    std::vector<std::string> names(const protocol::Client& client, Subscription::Origin origin) const;

    bool empty() const { return clients_.empty(); }
    // Tells everybody what happened since the last time.
    // cost: O(subscriptions + events), and a selection for each watched region
    void publish(core::MemStack& scratch);

  private:
    using Bodies = std::vector<MessageBody>;

    void changed(protocol::Client& client);
    std::size_t watched() const;
    void publish_to(const protocol::Client& client, Subscription& subscription, core::MemStack& scratch);
    const Bodies& everywhere(world::EventKind kind);
    Bodies within(world::EventKind kind, const world::Region& region) const;
    void watch(const protocol::Client& client, Subscription& subscription, core::MemStack& scratch);
    void rest(const protocol::Client& client, Subscription& subscription,
              std::optional<std::vector<ecs::Entity>> members);
    void send(const protocol::Client& client, Subscription& subscription, world::EventKind kind,
              const Bodies& bodies);
    bool push(const protocol::Client& client, const Subscription& subscription, world::EventKind kind,
              std::string_view body, std::uint64_t lost);

    world::World& world_;
    Sessions& sessions_;
    std::map<std::uint64_t, std::vector<Subscription>> clients_;        // by client id; none is empty
    std::array<std::optional<Bodies>, world::kEventKinds> everywhere_;  // of this publish()
};

}  // namespace evertick::commands
