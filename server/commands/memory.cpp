// MEMORY STATS|BINS|DOCTOR|USAGE: where the memory is, in an operator's words.

#include <array>
#include <cstdio>

#include "core/memory_report.hpp"
#include "core/quote.hpp"
#include "server/commands/arguments.hpp"
#include "server/commands/command.hpp"
#include "server/commands/durations.hpp"
#include "server/commands/figures.hpp"
#include "server/commands/table.hpp"

namespace evertick::commands {
namespace {

using core::Result;

// ---- STATS ----

// What the figures say, worked out once for STATS and DOCTOR. All in bytes.
struct Figures {
    std::uint64_t resident;        // what the kernel has given the process
    std::uint64_t live;            // in use
    std::uint64_t committed;       // live, or kept for reuse
    std::uint64_t idle;            // whole pages kept for reuse
    std::uint64_t between;         // free, between live cells of the same page
    std::uint64_t world_live;      // entities and components
    std::uint64_t world_reserved;  // with what is kept for more of them
    std::uint64_t entities;
};

Figures figures(const Context& context) {
    const core::MemoryReport report = context.process.memory_report();
    const ecs::Bytes world = context.world.registry.bytes();
    const std::uint64_t idle = report.source.idle_pages * core::PageSource::kPageBytes;
    return {.resident = context.process.memory().rss_bytes,
            .live = report.live_bytes(),
            .committed = report.committed_bytes(),
            .idle = idle,
            .between = report.committed_bytes() -
                       std::min<std::uint64_t>(report.committed_bytes(), report.live_bytes() + idle),
            .world_live = world.live,
            .world_reserved = world.reserved,
            .entities = context.world.registry.alive_count()};
}

Result<> stats(Call& call) {
    const Figures now = figures(call.context);
    call.reply.map(9);
    write_integer(call.reply, "resident_bytes", now.resident);
    write_integer(call.reply, "live_bytes", now.live);
    write_integer(call.reply, "reserved_bytes", now.committed);
    write_integer(call.reply, "idle_bytes", now.idle);
    write_integer(call.reply, "free_between_bytes", now.between);
    write_integer(call.reply, "world_bytes", now.world_live);
    write_integer(call.reply, "world_reserved_bytes", now.world_reserved);
    write_integer(call.reply, "entities", now.entities);
    write_integer(call.reply, "bytes_per_entity", now.entities == 0 ? 0 : now.world_reserved / now.entities);
    return {};
}

// ---- BINS ----

void write_bin(protocol::ReplyWriter& reply, const core::BinStats& bin) {
    reply.map(6);
    write_integer(reply, "cell_bytes", bin.cell_bytes);
    write_integer(reply, "pages", bin.pages);
    write_integer(reply, "live_cells", bin.live_cells);
    write_integer(reply, "free_cells", bin.free_cells);
    write_integer(reply, "shelved_cells", bin.shelved_cells);
    write_integer(reply, "returned_bytes", bin.returned_bytes);
}

Result<> bins(Call& call) {
    const core::MemoryReport report = call.context.process.memory_report();
    std::size_t used = 0;
    for (const core::BinStats& bin : report.bins.bins) used += bin.pages > 0 ? 1U : 0U;
    call.reply.map(2);
    write_integer(call.reply, "large_bytes", report.bins.run_pages * core::PageSource::kPageBytes);
    call.reply.key("bins");
    call.reply.array(used);
    for (const core::BinStats& bin : report.bins.bins)
        if (bin.pages > 0) write_bin(call.reply, bin);
    return {};
}

// ---- DOCTOR ----

constexpr std::uint64_t kWorthMentioning = std::uint64_t{32} << 20;  // less is in every process

// Whether a part is worth a sentence: large in itself, and against the whole.
bool is_much(std::uint64_t part, std::uint64_t whole) { return part > kWorthMentioning && part > whole / 4; }

std::string diagnosis(const Figures& now) {
    std::string out = "The process occupies " + megabytes(now.resident) + ", of which " +
                      megabytes(now.live) + " are in use.\n" + std::to_string(now.entities) +
                      " entities hold " + megabytes(now.world_reserved) + ", of which " +
                      megabytes(now.world_live) + " are in use.\n";
    const std::size_t before = out.size();
    if (is_much(now.idle, now.committed))
        out +=
            megabytes(now.idle) +
            " are kept for reuse: what was in use at the busiest moment of the last twenty seconds. They go "
            "back to the system by themselves.\n";
    if (is_much(now.between, now.committed))
        out += megabytes(now.between) +
               " are free between cells in use, as after a great peak: new entities and clients fill them. "
               "MEMORY "
               "BINS shows which sizes; a restart would give them back.\n";
    if (is_much(now.world_reserved - std::min(now.world_live, now.world_reserved), now.world_reserved))
        out += megabytes(now.world_reserved - now.world_live) +
               " are kept by the world for entities like those it had before.\n";
    if (now.resident > now.committed && is_much(now.resident - now.committed, now.resident))
        out += megabytes(now.resident - now.committed) +
               " are outside the allocator: the program itself, libraries, and what the kernel counts.\n";
    if (out.size() == before) out += "Nothing is out of proportion.\n";
    return out;
}

Result<> doctor(Call& call) {
    call.reply.verbatim(diagnosis(figures(call.context)));
    return {};
}

// ---- USAGE ----

// SAMPLES is for Redis' nested values; ours are flat, so that it changes nothing.
Result<> check_samples(std::span<const std::string_view> words) {
    if (words.empty()) return {};
    if (words.size() != 2 || !equal_ignoring_case(words[0], "SAMPLES"))
        return core::failure(core::ErrorCode::err, "MEMORY USAGE does not know " + core::quote(words[0]) +
                                                       "; expected MEMORY USAGE id [SAMPLES n]");
    const auto samples = parse_whole("SAMPLES", words[1], 0, std::uint64_t{1} << 53);
    return samples ? Result<>{} : std::unexpected(samples.error());
}

Result<> usage(Call& call) {
    const auto entity = parse_entity(call.words[0]);
    if (!entity) return std::unexpected(entity.error());
    if (auto known = check_samples(call.words.subspan(1)); !known) return known;
    const ecs::Registry& registry = call.context.world.registry;
    if (registry.valid(*entity))
        call.reply.integer(static_cast<std::int64_t>(registry.bytes(*entity)));
    else
        call.reply.null();
    return {};
}

constexpr std::array kUsage{
    Argument{.name = "id"},
    Argument{.name = "samples", .type = ArgumentType::integer, .token = "SAMPLES", .optional = true}};

constexpr std::array kMemoryCommands{
    Command{"MEMORY", "server", -2, kReads, {}, "Looks at the memory.", nullptr},
    Command{
        "MEMORY STATS", "server", 2, kReads, {}, "How much the process and the world hold and use.", &stats},
    Command{"MEMORY BINS", "server", 2, kReads, {}, "The allocator's cells by their size.", &bins},
    Command{"MEMORY DOCTOR", "server", 2, kReads, {}, "What is out of proportion, in words.", &doctor},
    Command{"MEMORY USAGE", "server", -3, kReads, kUsage,
            "The bytes that an entity takes: its slot, its components and their places in the pools.", &usage,
            "MEMORY USAGE 0:0"},
};

}  // namespace

std::span<const Command> memory_commands() { return kMemoryCommands; }

}  // namespace evertick::commands
