// HASH: one number for the whole simulation state.

#include "server/world/state_hash.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "server/commands/arguments.hpp"
#include "server/commands/command.hpp"
#include "server/commands/durations.hpp"

namespace evertick::commands {
namespace {

using core::Result;

// 16 digits: 64 bits are more than a JSON number holds.
void write_hash(protocol::ReplyWriter& reply, std::string_view key, std::uint64_t hash) {
    std::array<char, 16> digits;
    std::array<char, 16> text;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), hash, 16).ptr;
    const auto count = static_cast<std::size_t>(end - digits.data());
    text.fill('0');
    std::copy(digits.data(), end, text.data() + (text.size() - count));
    reply.key(key);
    reply.text({text.data(), text.size()});
}

Result<> hash(Call& call) {
    const world::World& world = call.context.world;
    const world::StateHash state = world::state_hash(world);
    call.reply.map(2);
    write_integer(call.reply, "tick", world.tick);
    write_hash(call.reply, "hash", state.whole);
    return {};
}

Result<> hash_components(Call& call) {
    const world::World& world = call.context.world;
    const world::StateHash state = world::state_hash(world);
    const auto types = world::component_types();
    call.reply.map(3);
    write_integer(call.reply, "tick", world.tick);
    write_hash(call.reply, "hash", state.whole);
    call.reply.key("components");
    call.reply.map(types.size());
    for (std::size_t i = 0; i < types.size(); ++i) write_hash(call.reply, types[i].name, state.components[i]);
    return {};
}

constexpr std::array kStateHashCommands{
    Command{"HASH",
            "world",
            1,
            Effect::reads,
            {},
            "One number over the simulation state, with its tick: equal worlds have equal ones.",
            &hash},
    Command{"HASH COMPONENTS",
            "world",
            2,
            Effect::reads,
            {},
            "The same, and one for each component: where two worlds differ.",
            &hash_components},
};

}  // namespace

std::span<const Command> state_hash_commands() { return kStateHashCommands; }

}  // namespace evertick::commands
