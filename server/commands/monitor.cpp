// MONITOR.

#include "server/commands/monitor.hpp"

#include <algorithm>
#include <array>

#include "core/quote.hpp"
#include "server/commands/access.hpp"
#include "server/protocol/json_text.hpp"
#include "server/protocol/reply_writers.hpp"

namespace evertick::commands {
namespace {

// Seconds and microseconds.
std::string time_text(std::chrono::system_clock::time_point now) {
    constexpr std::int64_t kSecond = 1'000'000;
    const auto since = std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch()).count();
    const std::string fraction = std::to_string(kSecond + since % kSecond).substr(1);
    return std::to_string(since / kSecond) + "." + fraction;
}

void append_word(std::string& line, std::string_view word, std::size_t max_bytes) {
    line += " \"";
    for (const char c : word.substr(0, max_bytes)) {
        if (c == '"' || c == '\\') line += '\\';
        if (c == '"' || c == '\\')
            line += c;
        else
            core::append_escaped(line, {&c, 1}, 1);
    }
    line += word.size() > max_bytes ? "...\"" : "\"";
}

std::string words_text(std::span<const std::string_view> words, const Command* command) {
    if (command == nullptr) return " (refused)";
    if (takes_password(*command)) return " \"" + std::string(command->name) + "\" (arguments not shown)";
    std::string line;
    std::size_t left = Monitors::kMaxShownBytes;
    for (const std::string_view word : words) {
        if (left == 0) return line + " ...";
        append_word(line, word, left);
        left -= std::min(left, word.size() + 1);
    }
    return line;
}

core::Result<> monitor(Call& call) {
    if (auto added = call.context.monitors.add(call.client); !added) return added;
    call.reply.ok();
    return {};
}

constexpr std::array kMonitorCommands{
    Command{"MONITOR",
            "server",
            1,
            Effect::controls,
            {},
            "Streams every command, until RESET.",
            &monitor,
            {},
            Queueing::refused},
};

}  // namespace

core::Result<> Monitors::add(protocol::Client& client) {
    if (lost_.size() >= kMaxMonitors && !lost_.contains(client.id))
        return core::failure(core::ErrorCode::limit,
                             "at most " + std::to_string(kMaxMonitors) + " clients at a time may monitor");
    client.monitors = true;
    lost_.try_emplace(client.id);
    return {};
}

void Monitors::remove(protocol::Client& client) {
    client.monitors = false;
    lost_.erase(client.id);
}

void Monitors::show(const protocol::Client& from, std::span<const std::string_view> words,
                    const Command* command) {
    if (command != nullptr && command->handler == &monitor) return;
    const std::string line = time_text(now_()) + " [0 " + from.address + "]" + words_text(words, command);
    for (auto& [client_id, lost] : lost_) send(client_id, lost, line);
}

void Monitors::send(std::uint64_t client_id, std::uint64_t& lost, std::string_view line) {
    const protocol::Client* const client = sessions_.find(client_id);
    if (client == nullptr) return;
    std::string text(line);
    if (lost > 0) text += " (after " + std::to_string(lost) + " lost)";
    std::string out;
    if (client->json) {
        out = "{\"event\":\"command\",\"line\":";
        protocol::append_json_string(out, text);
        out += "}\n";
    } else {
        protocol::ReplyWriters writers(out);
        protocol::ReplyWriter& writer = writers.get(client->encoding());
        writer.begin(0, {});
        writer.status(text);
        writer.end();
    }
    lost = sessions_.push(client_id, out) ? 0 : lost + 1;
}

std::span<const Command> monitor_commands() { return kMonitorCommands; }

}  // namespace evertick::commands
