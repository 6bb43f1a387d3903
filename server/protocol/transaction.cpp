#include "server/protocol/transaction.hpp"

namespace evertick::protocol {

bool Transaction::add(std::span<const std::string_view> words) {
    std::size_t added = (words.size() + 1) * sizeof(std::uint32_t);
    for (const std::string_view word : words) added += word.size();
    const std::size_t held = bytes_.size() + lengths_.size() * sizeof(std::uint32_t);
    if (requests_ == kMaxRequests || added > kMaxBytes - held) return false;
    lengths_.push_back(static_cast<std::uint32_t>(words.size()));
    for (const std::string_view word : words) {
        lengths_.push_back(static_cast<std::uint32_t>(word.size()));
        bytes_ += word;
    }
    ++requests_;
    return true;
}

}  // namespace evertick::protocol
