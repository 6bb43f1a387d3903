#pragma once
// Commands that are too much for one piece: SPAWN COUNT 1000000, DESTROY WHERE, CLEAR. Each works in pieces
// of about a millisecond; between them others are served and ticks run, while its client waits as for a STEP.
//
// What a piece may do is counted, not timed: kWorkPerPiece entities looked at, each that is made or destroyed
// counting for kWorkPerChange of them.
// Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "core/result.hpp"
#include "server/commands/command.hpp"
#include "server/commands/context.hpp"
#include "server/protocol/reply_writers.hpp"

namespace evertick::commands {

inline constexpr std::size_t kWorkPerPiece = 20'000;
inline constexpr std::size_t kWorkPerChange = 10;
inline constexpr std::size_t kChangesPerPiece = kWorkPerPiece / kWorkPerChange;

class LongCommand {
  public:
    virtual ~LongCommand() = default;
    // Does the next piece. Returns whether it was the last. Throws std::bad_alloc.
    // requires: none was the last yet
    virtual core::Result<bool> work() = 0;
    // Writes the next piece of the answer. Returns whether it was the last. Throws std::bad_alloc.
    // requires: the last piece of work is done
    virtual bool answer(protocol::ReplyWriter& reply) = 0;
    // Undoes a piece of what is done, after an error or an exception. Returns whether it was the last. Needs
    // no memory.
    virtual bool undo() = 0;
};

// A long command on its way: work, then answer; or as much of that as goes, and then back.
struct LongRun {
    std::unique_ptr<LongCommand> command;
    bool worked = false;                 // what comes now is the answer
    std::optional<core::Error> failure;  // what comes now is to undo it

    bool has_worked() const { return worked || failure; }
    // Each does one piece. Returns whether it was the last.
    bool work();                                  // requires: not has_worked()
    bool conclude(protocol::ReplyWriter& reply);  // answers or undoes. requires: has_worked()
};

// Those under way, the oldest first. At most one for each client, since it waits.
class LongCommands {
  public:
    struct Done {
        std::uint64_t client_id;
        std::string reply;
    };

    bool empty() const { return queue_.empty(); }
    // Throws std::bad_alloc; the run is as it was then.
    void add(LongRun& run, Waiter waiter);
    // Does a piece of the oldest. Returns its client and reply when that was the last.
    // requires: not empty (verified)
    std::optional<Done> work(core::Tick now);

  private:
    struct Pending {
        explicit Pending(Waiter for_whom);

        LongRun run;
        Waiter waiter;
        std::string out;
        protocol::ReplyWriters writers{out};
        protocol::ReplyWriter& reply;
        bool replies = false;  // it has begun to
    };

    std::deque<Pending> queue_;
};

// Runs a command that makes, or looks at, so many entities: at once when a piece is enough, or within EXEC;
// otherwise its reply comes later. Without memory to wait with, all of it is done at once, too.
// errors: the command's own; LIMIT: within EXEC, where there is only one piece, and entities > kWorkPerPiece
core::Result<> run_in_pieces(Call& call, std::unique_ptr<LongCommand> command, std::size_t entities);

}  // namespace evertick::commands
