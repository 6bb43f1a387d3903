#include "server/commands/slow_log.hpp"

#include <algorithm>

namespace evertick::commands {
namespace {

std::string cut(std::string_view word) {
    if (word.size() <= SlowLog::kMaxWordBytes) return std::string(word);
    return std::string(word.substr(0, SlowLog::kMaxWordBytes)) + "... (" +
           std::to_string(word.size() - SlowLog::kMaxWordBytes) + " more bytes)";
}

std::vector<std::string> cut(std::span<const std::string_view> words) {
    const bool fits = words.size() <= SlowLog::kMaxWords;
    const std::size_t kept = fits ? words.size() : SlowLog::kMaxWords - 1;
    std::vector<std::string> out;
    for (const std::string_view word : words.first(kept)) out.push_back(cut(word));
    if (!fits) out.push_back("... (" + std::to_string(words.size() - kept) + " more arguments)");
    return out;
}

}  // namespace

void SlowLog::set_limits(const Limits& limits) {
    limits_ = limits;
    while (entries_.size() > limits_.length) entries_.pop_back();
}

void SlowLog::add(std::span<const std::string_view> words, const protocol::Client& client,
                  std::chrono::steady_clock::duration spent, std::chrono::system_clock::time_point at) {
    if (entries_.size() >= limits_.length && !entries_.empty()) entries_.pop_back();
    entries_.push_front({.id = next_id_++,
                         .at = at,
                         .duration = std::chrono::duration_cast<std::chrono::microseconds>(spent),
                         .words = cut(words),
                         .address = client.address,
                         .name = client.name});
}

}  // namespace evertick::commands
