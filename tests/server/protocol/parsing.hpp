#pragma once
// Everything a RequestParser finds in some bytes, as values that tests can compare and print.

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "server/protocol/request_parser.hpp"

namespace evertick::protocol {

inline void PrintTo(RequestParser::Status status, std::ostream* out) {
    switch (status) {
        case RequestParser::Status::request: *out << "request"; return;
        case RequestParser::Status::incomplete: *out << "incomplete"; return;
        case RequestParser::Status::malformed: *out << "malformed"; return;
        case RequestParser::Status::http: *out << "http"; return;
    }
}

}  // namespace evertick::protocol

namespace evertick::test {

using protocol::RequestLimits;
using protocol::RequestParser;
using Status = RequestParser::Status;
using Words = std::vector<std::string>;

struct Found {
    std::vector<Words> requests;
    Status end = Status::incomplete;  // what next() said last
    std::string error;
    bool unfinished = false;
    bool operator==(const Found&) const = default;
};

inline void PrintTo(const Found& found, std::ostream* out) {
    for (const Words& words : found.requests) {
        *out << "[";
        for (const std::string& word : words) *out << " '" << word << "'";
        *out << " ] ";
    }
    PrintTo(found.end, out);
    *out << " '" << found.error << "'" << (found.unfinished ? ", unfinished" : "");
}

inline void feed(RequestParser& parser, std::string_view bytes) {
    std::ranges::copy(bytes, parser.prepare(bytes.size()).begin());
    parser.commit(bytes.size());
}

inline Words words_of(const RequestParser& parser) {
    const auto words = parser.request().words;
    return {words.begin(), words.end()};
}

// Takes every request that is there.
inline void drain(RequestParser& parser, Found& found) {
    while ((found.end = parser.next()) == Status::request) found.requests.push_back(words_of(parser));
    parser.check_invariants();
    found.error = parser.error().message;
    found.unfinished = parser.has_unfinished();
}

// Feeds the bytes in pieces; next_size(rest) says how many come next.
template <class NextSize>
Found parse_in_pieces(std::string_view bytes, const RequestLimits& limits, NextSize next_size) {
    RequestParser parser(limits);
    Found found;
    while (!bytes.empty()) {
        const std::size_t size_bytes = std::clamp<std::size_t>(next_size(bytes), 1, bytes.size());
        feed(parser, bytes.substr(0, size_bytes));
        drain(parser, found);
        bytes.remove_prefix(size_bytes);
    }
    return found;
}

inline Found parse(std::string_view bytes, const RequestLimits& limits = {}) {
    return parse_in_pieces(bytes, limits, [](std::string_view rest) { return rest.size(); });
}

// The text of a request as RESP.
inline std::string resp(const Words& words) {
    std::string out = "*" + std::to_string(words.size()) + "\r\n";
    for (const std::string& word : words) out += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
    return out;
}

}  // namespace evertick::test
