#pragma once
// The requests that MULTI collects until EXEC: copies of their words, since the parser's do not last.
//
// invariant: never holds more than kMaxRequests or kMaxBytes
// Not thread-safe; one per connection, made by MULTI.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace evertick::protocol {

class Transaction {
  public:
    static constexpr std::size_t kMaxRequests = 16'384;
    static constexpr std::size_t kMaxBytes = std::size_t{4} << 20;  // of the words and their lengths

    // Returns false, and keeps nothing, when it would be over a limit.
    bool add(std::span<const std::string_view> words);
    std::size_t size() const { return requests_; }

    // A request was refused instead of added: EXEC will run none of them.
    void spoil() { is_spoilt_ = true; }
    bool is_spoilt() const { return is_spoilt_; }

    // Calls visit(words) for each request in their order. The words live as long as this.
    template <class Visit>
    void for_each(Visit visit) const {
        std::vector<std::string_view> words;
        std::string_view rest = bytes_;
        for (auto length = lengths_.begin(); length != lengths_.end();) {
            words.resize(*length++);
            for (std::string_view& word : words) {
                word = rest.substr(0, *length++);
                rest.remove_prefix(word.size());
            }
            visit(std::span<const std::string_view>(words));
        }
    }

  private:
    std::string bytes_;                   // all words, one behind the other
    std::vector<std::uint32_t> lengths_;  // of each request: how many words, then the bytes of each
    std::size_t requests_ = 0;
    bool is_spoilt_ = false;
};

}  // namespace evertick::protocol
