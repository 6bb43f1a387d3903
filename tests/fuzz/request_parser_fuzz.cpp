// What the request parser must hold for any bytes, cut in any way:
//   - the same bytes give the same requests and the same end, however they are cut
//   - its invariants hold after every step, and no word reaches outside the bytes that came
//   - what it holds in memory is in proportion to what is pending
//   - every error is one that is meant for a person
//   - what it found, written as arrays, is found again
//
// The last two bytes of an input choose the limits and the cuts; what is before them is what a client sends.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.hpp"
#include "core/verify.hpp"
#include "server/protocol/request_parser.hpp"

namespace evertick {
namespace {

using core::verify;
using protocol::RequestLimits;
using protocol::RequestParser;
using Status = RequestParser::Status;

struct Found {
    std::vector<std::vector<std::string>> requests;
    Status end = Status::incomplete;
    std::string error;
    bool unfinished = false;
    bool operator==(const Found&) const = default;
};

// Small limits are met by small inputs.
RequestLimits limits_for(std::uint8_t choice) {
    switch (choice % 4) {
        case 0: return {};
        case 1:
            return {
                .max_arguments = 3, .max_bulk_bytes = 10, .max_inline_bytes = 20, .max_pending_bytes = 40};
        case 2:
            return {.max_arguments = 1, .max_bulk_bytes = 1, .max_inline_bytes = 1, .max_pending_bytes = 1};
        default:
            return {.max_arguments = 100,
                    .max_bulk_bytes = 1000,
                    .max_inline_bytes = 50,
                    .max_pending_bytes = 30};
    }
}

void check_memory(const RequestParser& parser, std::size_t prepared) {
    constexpr std::size_t kAlwaysAllowed =
        protocol::InputBuffer::kIdleBytes + 1024 * sizeof(std::string_view);
    const std::size_t bytes = 4 * (parser.pending_bytes() + prepared);
    // An array's word takes 6 bytes at least, and room for words doubles.
    const std::size_t words = 2 * sizeof(std::string_view) * (parser.pending_bytes() / 6);
    verify(parser.buffer_bytes() <= kAlwaysAllowed + bytes + words,
           "it holds no more than what is pending accounts for");
}

void take_requests(RequestParser& parser, Found& found) {
    while ((found.end = parser.next()) == Status::request) {
        const auto words = parser.request().words;
        verify(!words.empty(), "a request has a word");
        found.requests.emplace_back(words.begin(), words.end());
        parser.check_invariants();
    }
    parser.check_invariants();
    found.error = parser.error().message;
    found.unfinished = parser.has_unfinished();
    verify((found.end == Status::malformed) == found.error.starts_with("Protocol error: "),
           "an error says what it is");
    verify(found.end != Status::malformed || !found.unfinished, "what is malformed is not unfinished too");
}

template <class NextSize>
Found parse(std::string_view bytes, const RequestLimits& limits, NextSize next_size) {
    RequestParser parser(limits);
    Found found;
    while (!bytes.empty()) {
        const std::size_t size_bytes = std::min<std::size_t>(next_size(), bytes.size());
        const std::span<char> room = parser.prepare(size_bytes);
        std::ranges::copy(bytes.substr(0, size_bytes), room.begin());
        parser.commit(size_bytes);
        bytes.remove_prefix(size_bytes);
        take_requests(parser, found);
        if (found.end == Status::incomplete) check_memory(parser, size_bytes);
    }
    return found;
}

std::string written(const Found& found) {
    std::string out;
    for (const std::vector<std::string>& words : found.requests) {
        out += "*" + std::to_string(words.size()) + "\r\n";
        for (const std::string& word : words)
            out += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
    }
    return out;
}

void test_one(std::string_view bytes, std::uint8_t limits_choice, std::uint8_t cuts_choice) {
    const RequestLimits limits = limits_for(limits_choice);
    const std::size_t longest = 1 + cuts_choice % 32;
    core::Random random(cuts_choice);
    const Found whole = parse(bytes, limits, [&] { return bytes.size(); });
    verify(whole == parse(bytes, limits, [&] { return 1 + random.below(longest); }), "cuts change nothing");
    verify(whole == parse(bytes, limits, [] { return std::size_t{1}; }), "single bytes change nothing");
    const std::string again = written(whole);
    verify(whole.requests == parse(again, {}, [&] { return again.size(); }).requests,
           "arrays carry any words");
}

}  // namespace
}  // namespace evertick

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const std::string bytes(data, data + size - 2);
    evertick::test_one(bytes, data[size - 2], data[size - 1]);
    return 0;
}
