// DESTROY CLEAR, and Redis's names for them: entities out of the world.

#include <array>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "core/quote.hpp"
#include "server/commands/arguments.hpp"
#include "server/commands/command.hpp"
#include "server/commands/filter_parser.hpp"
#include "server/commands/long_command.hpp"
#include "server/commands/table.hpp"

namespace evertick::commands {
namespace {

using core::ErrorCode;
using core::failure;
using core::Result;

std::int64_t destroy_all(world::World& world, std::span<const ecs::Entity> entities) {
    world.events.note_destroyed(world.registry, entities);
    std::int64_t destroyed = 0;
    for (const ecs::Entity entity : entities) destroyed += world.registry.destroy(entity) ? 1 : 0;
    world.counters.destroyed += static_cast<std::uint64_t>(destroyed);
    return destroyed;
}

Result<> destroy_ids(Call& call) {
    if (auto fits = check_id_count(call.words.size()); !fits) return fits;
    const std::span entities = core::new_array<ecs::Entity>(call.context.scratch, call.words.size());
    for (std::size_t i = 0; i < call.words.size(); ++i) {
        const auto entity = parse_entity(call.words[i]);
        if (!entity) return std::unexpected(entity.error());
        entities[i] = *entity;
    }
    call.reply.integer(destroy_all(call.context.world, entities));
    return {};
}

// Looks at every entity that there was when it began, in ascending index; those that match go, or are
// counted.
class LongDestroy final : public LongCommand {
  public:
    enum class Does : std::uint8_t { destroys, counts };

    LongDestroy(world::World& world, const world::Filter& filter, Does does)
        : world_(world),
          where_(filter.where.begin(), filter.where.end()),
          filter_(filter),
          does_(does),
          end_(world.registry.index_count()) {
        filter_.where = where_;
    }

    core::Result<bool> work() override {
        for (std::size_t done = 0; done < kWorkPerPiece && index_ < end_; ++index_, ++done) {
            const ecs::Entity entity = world_.registry.entity_at(index_);
            if (!world::matches(world_, entity, filter_)) continue;
            ++found_;
            if (does_ == Does::counts) continue;
            destroy_all(world_, {&entity, 1});
            done += kWorkPerChange;
        }
        return index_ == end_;
    }

    bool answer(protocol::ReplyWriter& reply) override {
        reply.integer(found_);
        return true;
    }

    // Neither work() nor so short an answer needs memory.
    bool undo() override { return true; }

  private:
    world::World& world_;
    std::vector<world::FieldCondition> where_;  // the filter's, which lived with the request
    world::Filter filter_;
    Does does_;
    std::size_t index_ = 0, end_;
    std::int64_t found_ = 0;
};

// Without a pause, and without memory when the filter has no WHERE.
Result<> run_at_once(Call& call, const world::Filter& filter, LongDestroy::Does does) {
    LongDestroy command(call.context.world, filter, does);
    while (!*command.work()) continue;
    command.answer(call.reply);
    return {};
}

// It is the way out of a world that has taken all memory.
Result<> run_long(Call& call, const world::Filter& filter, LongDestroy::Does does) {
    world::World& world = call.context.world;
    std::unique_ptr<LongDestroy> command;
    try {
        command = std::make_unique<LongDestroy>(world, filter, does);
    } catch (const std::bad_alloc&) {
        if (call.within_exec) throw;
        return run_at_once(call, filter, does);
    }
    return run_in_pieces(call, std::move(command), world.registry.index_count());
}

Result<> destroy_where(Call& call) {
    std::span<const std::string_view> words = call.words;
    const bool dry_run = equal_ignoring_case(words.back(), "DRYRUN");
    if (dry_run) words = words.first(words.size() - 1);
    const auto filter = parse_destroy_filter(words, call.context.scratch);
    if (!filter) return std::unexpected(filter.error());
    return run_long(call, *filter, dry_run ? LongDestroy::Does::counts : LongDestroy::Does::destroys);
}

Result<> destroy(Call& call) {
    return starts_filter(call.words[0]) ? destroy_where(call) : destroy_ids(call);
}

Result<> clear(Call& call) {
    world::World& world = call.context.world;
    const std::size_t alive = world.registry.alive_count();
    if (call.words.empty())
        return failure(ErrorCode::badarg,
                       "CLEAR destroys all " + std::to_string(alive) + " entities; say CLEAR YES to do it");
    if (call.words.size() > 1 || !equal_ignoring_case(call.words[0], "YES"))
        return failure(ErrorCode::badarg, "CLEAR takes only YES, not " + core::quote(call.words[0]));
    auto begun = run_long(call, {}, LongDestroy::Does::destroys);
    if (begun) world.wanderers = 0;  // or the demo would refill what was just cleared
    return begun;
}

// Every Redis client has a key for it; here it would end the world.
Result<> flush(Call&) {
    return failure(ErrorCode::err, "this server empties its world only by name: use CLEAR YES");
}

// ---- the table ----

constexpr Argument kIds{.name = "id", .multiple = true};
constexpr std::array kDestroyFilter{
    Argument{.name = "filter", .multiple = true},
    Argument{.name = "dryrun", .type = ArgumentType::pure_token, .token = "DRYRUN", .optional = true}};
constexpr std::array kDestroyForms{
    kIds, Argument{.name = "where", .type = ArgumentType::block, .parts = kDestroyFilter}};
constexpr std::array kDestroy{Argument{.name = "what", .type = ArgumentType::one_of, .parts = kDestroyForms}};
constexpr std::array kClear{
    Argument{.name = "yes", .type = ArgumentType::pure_token, .token = "YES", .optional = true}};
constexpr std::array kDel{kIds};
constexpr std::array kFlushModes{
    Argument{.name = "async", .type = ArgumentType::pure_token, .token = "ASYNC"},
    Argument{.name = "sync", .type = ArgumentType::pure_token, .token = "SYNC"}};
constexpr std::array kFlush{
    Argument{.name = "mode", .type = ArgumentType::one_of, .optional = true, .parts = kFlushModes}};

constexpr std::array kDestroyCommands{
    Command{"DESTROY", "world", -2, Effect::writes, kDestroy,
            "Destroys entities by id, or all that match a filter; answers how many were alive.", &destroy,
            "DESTROY 0:0 1:0\nDESTROY WHERE health.current<=0 DRYRUN"},
    Command{"CLEAR", "world", -1, Effect::writes, kClear,
            "Destroys every entity, when told YES; answers how many.", &clear},
    Command{"DEL", "redis", -2, Effect::writes, kDel, "Destroys entities; answers how many were alive.",
            &destroy_ids, "DEL 0:0 1:0"},
    Command{"UNLINK", "redis", -2, Effect::writes, kDel, "The same as DEL.", &destroy_ids},
    Command{"FLUSHALL", "redis", -1, Effect::writes, kFlush, "Refused: CLEAR YES destroys every entity.",
            &flush},
    Command{"FLUSHDB", "redis", -1, Effect::writes, kFlush, "Refused: CLEAR YES destroys every entity.",
            &flush},
};

}  // namespace

std::span<const Command> destroy_commands() { return kDestroyCommands; }

}  // namespace evertick::commands
