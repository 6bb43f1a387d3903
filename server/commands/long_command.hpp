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
    // Does the next piece. Returns whether it was the last.
    // requires: none was the last yet      errors: it failed, and what it did is undone
    virtual core::Result<bool> work() = 0;
    // Writes the next piece of the answer. Returns whether it was the last.
    // requires: the last piece of work is done
    virtual bool answer(protocol::ReplyWriter& reply) = 0;
};

// Those under way, the oldest first. At most one for each client, since it waits.
class LongCommands {
  public:
    struct Done {
        std::uint64_t client_id;
        std::string reply;
    };

    bool empty() const { return queue_.empty(); }
    void add(std::unique_ptr<LongCommand> command, Waiter waiter);
    // Does a piece of the oldest. Returns its client and reply when that was the last.
    // requires: not empty (verified)
    std::optional<Done> work(core::Tick now);

  private:
    // The reply while it is written.
    struct Answer {
        explicit Answer(protocol::Encoding encoding) : reply(writers.get(encoding)) {}

        std::string out;
        protocol::ReplyWriters writers{out};
        protocol::ReplyWriter& reply;
    };
    struct Pending {
        std::unique_ptr<LongCommand> command;
        Waiter waiter;
        std::unique_ptr<Answer> answer;  // once the work is done
    };
    static bool advance(Pending& pending, core::Tick now);

    std::deque<Pending> queue_;
};

// Runs a command that makes, or looks at, so many entities: at once when a piece is enough, or within EXEC;
// otherwise its reply comes later.
// errors: the command's own; LIMIT: within EXEC, where there is only one piece, and entities > kWorkPerPiece
core::Result<> run_in_pieces(Call& call, std::unique_ptr<LongCommand> command, std::size_t entities);

}  // namespace evertick::commands
