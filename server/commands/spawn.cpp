// SPAWN: entities into the world.

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/quote.hpp"
#include "server/commands/arguments.hpp"
#include "server/commands/command.hpp"
#include "server/commands/draft.hpp"
#include "server/commands/long_command.hpp"
#include "server/commands/table.hpp"
#include "server/world/components.hpp"

namespace evertick::commands {
namespace {

using core::ErrorCode;
using core::failure;
using core::Result;

constexpr std::uint64_t kMaxSpawnCount = 1'000'000;  // per command

void write_id(protocol::ReplyWriter& reply, ecs::Entity entity) { reply.value(core::Handle{entity.raw}); }

struct Area {
    world::Vector3 low, high;
};

struct SpawnOrder {
    std::optional<std::uint64_t> count;  // nothing: one entity, one id
    std::optional<Area> area;
    bool quiet = false;
};

Result<Area> parse_area(std::span<const std::string_view> words) {
    const auto six = words.first(std::min<std::size_t>(words.size(), 6));
    if (auto apart = check_apart("AREA", "x1 y1 z1 x2 y2 z2", six); !apart)
        return std::unexpected(apart.error());
    if (words.size() < 6) return failure(ErrorCode::badarg, "AREA takes six numbers: x1 y1 z1 x2 y2 z2");
    const auto low = parse_point("AREA low", words.first(3));
    if (!low) return std::unexpected(low.error());
    const auto high = parse_point("AREA high", words.subspan(3, 3));
    if (!high) return std::unexpected(high.error());
    return Area{*low, *high};
}

// Reads one option of SPAWN. Returns how many words it took; 0 when words[0] is no option.
Result<std::size_t> parse_spawn_option(std::span<const std::string_view> words, SpawnOrder& order) {
    const auto twice = [](std::string_view option) {
        return failure(ErrorCode::badarg, std::string(option) + " is given twice");
    };
    if (equal_ignoring_case(words[0], "QUIET")) {
        if (order.quiet) return twice("QUIET");
        order.quiet = true;
        return 1;
    }
    if (equal_ignoring_case(words[0], "COUNT")) {
        if (words.size() < 2)
            return failure(ErrorCode::badarg, "COUNT takes the number of entities to create");
        const auto count = parse_whole("COUNT", words[1], 1, kMaxSpawnCount);
        if (!count) return std::unexpected(count.error());
        if (order.count) return twice("COUNT");
        order.count = *count;
        return 2;
    }
    if (equal_ignoring_case(words[0], "AREA")) {
        const auto area = parse_area(words.subspan(1));
        if (!area) return std::unexpected(area.error());
        if (order.area) return twice("AREA");
        order.area = *area;
        return 7;
    }
    return 0;
}

// COUNT=3, as one writes position=1,2,3.
Result<> check_no_option(std::string_view word) {
    const std::string_view name = word.substr(0, word.find('='));
    for (const std::string_view option : {"COUNT", "AREA", "QUIET"})
        if (equal_ignoring_case(name, option))
            return failure(ErrorCode::badarg, core::quote(word) + ": " + std::string(option) +
                                                  " has no '='; expected SPAWN [COUNT n] [QUIET] "
                                                  "[AREA x1 y1 z1 x2 y2 z2] [component[.field]=value ...]");
    return {};
}

Result<SpawnOrder> parse_spawn(std::span<const std::string_view> words, Draft& draft) {
    SpawnOrder order;
    for (std::size_t i = 0; i < words.size();) {
        const auto taken = parse_spawn_option(words.subspan(i), order);
        if (!taken) return std::unexpected(taken.error());
        i += *taken;
        if (*taken > 0) continue;
        if (auto applied = draft.apply(words[i]); !applied) {
            const auto component = check_no_option(words[i]);
            return std::unexpected(component ? applied.error() : component.error());
        }
        ++i;
    }
    const auto position = *world::find_component("position");
    if (order.area && (draft.touched() >> position & 1U) != 0)
        return failure(ErrorCode::badarg, "AREA draws the position: leave out either AREA or position");
    if (order.quiet && !order.count)
        return failure(ErrorCode::badarg, "QUIET goes with COUNT: SPAWN COUNT n QUIET answers the number");
    return order;
}

Result<> check_room(const world::World& world, std::uint64_t wanted) {
    const std::uint64_t alive = world.registry.alive_count();
    if (alive + wanted <= world.max_entities) return {};
    return failure(ErrorCode::oom, "the world holds " + std::to_string(alive) +
                                       " entities and max-entities is " + std::to_string(world.max_entities) +
                                       ": no room for " + std::to_string(wanted) + " more");
}

float drawn(core::Random& random, float from, float to) {
    return static_cast<float>(
        random.between(static_cast<double>(std::min(from, to)), static_cast<double>(std::max(from, to))));
}

// Creates one entity, noted in `made` before anything else can fail.
void spawn_one(world::World& world, core::Random& random, Draft& draft, const SpawnOrder& order,
               ecs::Entity& made) {
    if (order.area) {
        auto& position = *static_cast<world::Position*>(draft.record(*world::find_component("position")));
        position.x = drawn(random, order.area->low.x, order.area->high.x);
        position.y = drawn(random, order.area->low.y, order.area->high.y);
        position.z = drawn(random, order.area->low.z, order.area->high.z);
    }
    made = world.registry.create();
    draft.write_to(made);
}

// All or none: when memory ends midway, what was made is unmade.
void spawn_all(world::World& world, core::Random& random, Draft& draft, const SpawnOrder& order,
               std::span<ecs::Entity> made) {
    const core::Random before = random;
    try {
        for (ecs::Entity& entity : made) spawn_one(world, random, draft, order, entity);
    } catch (...) {
        for (const ecs::Entity entity : made) world.registry.destroy(entity);
        random = before;
        throw;
    }
    world.counters.spawned += made.size();
    world.events.note_spawned(world.registry, made);
}

void unmake(world::World& world, std::span<const ecs::Entity> made) {
    world.events.note_destroyed(world.registry, made);
    world.registry.destroy(made);
    world.counters.spawned -= made.size();
}

// So many entities that they are made in pieces. Their positions are drawn from a generator of its own, which
// takes its seed from the world's: they do not depend on what else happens between the pieces.
class LongSpawn final : public LongCommand {
  public:
    LongSpawn(world::World& world, const Draft& draft, const SpawnOrder& order)
        : world_(world),
          order_(order),
          draft_(draft, stack_),
          made_(*order.count),
          before_(world.random),
          random_(world.random.next()) {}

    // Whoever comes between may take the room or the memory.
    core::Result<bool> work() override {
        const auto piece =
            std::span(made_).subspan(count_, std::min(kChangesPerPiece, made_.size() - count_));
        if (auto room = check_room(world_, piece.size()); !room) return std::unexpected(room.error());
        spawn_all(world_, random_, draft_, order_, piece);
        count_ += piece.size();
        return count_ == made_.size();
    }

    bool undo() override {
        const std::size_t undone = std::min(kChangesPerPiece, count_);
        count_ -= undone;
        unmake(world_, std::span(made_).subspan(count_, undone));
        if (count_ == 0) give_seed_back();
        return count_ == 0;
    }

    bool answer(protocol::ReplyWriter& reply) override {
        if (order_.quiet) {
            reply.integer(static_cast<std::int64_t>(made_.size()));
            return true;
        }
        if (answered_ == 0) reply.array(made_.size());
        const std::size_t end = std::min(made_.size(), answered_ + kWorkPerPiece);
        while (answered_ < end) write_id(reply, made_[answered_++]);
        return answered_ == made_.size();
    }

  private:
    // Unless somebody has drawn since: then their numbers would come again.
    void give_seed_back() {
        core::Random drawn = before_;
        drawn.next();
        if (world_.random.state() == drawn.state()) world_.random = before_;
    }

    world::World& world_;
    SpawnOrder order_;
    core::MemStack stack_;
    core::MemMark mark_{stack_};
    Draft draft_;
    std::vector<ecs::Entity> made_;
    std::size_t count_ = 0;     // of them are made
    std::size_t answered_ = 0;  // of them stand in the reply
    core::Random before_;       // the world's, before it gave a seed
    core::Random random_;
};

void write_made(protocol::ReplyWriter& reply, const SpawnOrder& order, std::span<const ecs::Entity> made) {
    if (order.quiet) return reply.integer(static_cast<std::int64_t>(made.size()));
    if (order.count) reply.array(made.size());
    for (const ecs::Entity entity : made) write_id(reply, entity);
}

Result<> spawn(Call& call) {
    world::World& world = call.context.world;
    Draft draft(world, ecs::Entity{}, call.context.scratch);
    const auto order = parse_spawn(call.words, draft);
    if (!order) return std::unexpected(order.error());
    const std::uint64_t count = order->count.value_or(1);
    if (auto room = check_room(world, count); !room) return room;
    if (count > kChangesPerPiece)
        return run_in_pieces(call, std::make_unique<LongSpawn>(world, draft, *order), count);

    const core::Random before = world.random;
    const std::span made = core::new_array<ecs::Entity>(call.context.scratch, count);
    spawn_all(world, world.random, draft, *order, made);
    try {
        write_made(call.reply, *order, made);
    } catch (...) {
        unmake(world, made);
        world.random = before;
        throw;
    }
    return {};
}

// ---- the table ----

constexpr std::array kCorners{Argument{.name = "x1", .type = ArgumentType::number},
                              Argument{.name = "y1", .type = ArgumentType::number},
                              Argument{.name = "z1", .type = ArgumentType::number},
                              Argument{.name = "x2", .type = ArgumentType::number},
                              Argument{.name = "y2", .type = ArgumentType::number},
                              Argument{.name = "z2", .type = ArgumentType::number}};
constexpr std::array kSpawn{
    Argument{.name = "count", .type = ArgumentType::integer, .token = "COUNT", .optional = true},
    Argument{.name = "quiet", .type = ArgumentType::pure_token, .token = "QUIET", .optional = true},
    Argument{
        .name = "area", .type = ArgumentType::block, .token = "AREA", .optional = true, .parts = kCorners},
    Argument{.name = "component[.field]=value", .optional = true, .multiple = true}};

constexpr std::array kSpawnCommands{
    Command{"SPAWN", "world", -1, Effect::writes, kSpawn,
            "Creates one entity and answers its id; with COUNT an array of ids, with QUIET their number.",
            &spawn,
            "SPAWN position=1,2,3 velocity=1,0,0 health=50,100\n"
            "SPAWN COUNT 100 QUIET AREA -50 0 -50 50 0 50 velocity lifetime=30 flags=alive,hostile"},
};

}  // namespace

std::span<const Command> spawn_commands() { return kSpawnCommands; }

}  // namespace evertick::commands
