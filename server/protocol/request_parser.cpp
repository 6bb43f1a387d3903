#include "server/protocol/request_parser.hpp"

#include <algorithm>

#include "core/verify.hpp"
#include "server/protocol/inline_words.hpp"

namespace evertick::protocol {
namespace {

using Status = RequestParser::Status;

// A words vector larger than this is given back when the client is idle.
constexpr std::size_t kIdleWords = 1024;

std::string_view view(std::span<const char> bytes) { return {bytes.data(), bytes.size()}; }

// One byte as an error message shows it.
std::string shown(char c) {
    constexpr std::string_view kHex = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\r') return "CR";
    if (c == '\n') return "LF";
    if (byte > 0x20 && byte < 0x7f) return {'\'', c, '\''};
    return {'b', 'y', 't', 'e', ' ', '0', 'x', kHex[byte >> 4], kHex[byte & 15]};
}

enum class Scan { complete, unfinished, wrong, too_large };

// The number of a header and where it ends.
struct Number {
    Scan scan;
    std::size_t value;
    const char* at;  // past the CR LF when complete; the offending byte when wrong
};

// Reads digits CR LF: no sign, no spaces, no leading zeros, no more than max.
Number read_number(const char* at, const char* end, std::size_t max) {
    const char* const first = at;
    std::size_t value = 0;
    for (; at != end && *at >= '0' && *at <= '9'; ++at) {
        if (at != first && *first == '0') return {Scan::wrong, 0, at};
        value = value * 10 + static_cast<std::size_t>(*at - '0');
        if (value > max) return {Scan::too_large, 0, at};
    }
    if (at == end) return {Scan::unfinished, 0, at};
    if (at == first || *at != '\r') return {Scan::wrong, 0, at};
    if (++at == end) return {Scan::unfinished, 0, at};
    if (*at != '\n') return {Scan::wrong, 0, at};
    return {Scan::complete, value, at + 1};
}

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kTlsHello = "\x16\x03";  // a handshake record, of version 3.x
constexpr std::string_view kNumberForm =
    " and then a number without sign, spaces or leading zeros, and CR LF; got ";

}  // namespace

RequestParser::RequestParser(const RequestLimits& limits) { set_limits(limits); }

void RequestParser::set_limits(const RequestLimits& limits) {
    constexpr std::size_t kMost = std::size_t{1} << 48;
    for (const std::size_t limit :
         {limits.max_arguments, limits.max_bulk_bytes, limits.max_inline_bytes, limits.max_pending_bytes})
        core::verify(limit >= 1 && limit <= kMost, "RequestLimits: every limit is between 1 and 2^48");
    limits_ = limits;
}

std::span<char> RequestParser::prepare(std::size_t wanted_bytes) {
    request_ = {};
    if (missing_words_ == 0) words_.clear();  // those of the request before: its bytes may go
    return buffer_.prepare(wanted_bytes, words_);
}

void RequestParser::commit(std::size_t count) { buffer_.commit(count); }

Status RequestParser::next() {
    if (status_ == Status::malformed || status_ == Status::http) return status_;
    request_ = {};
    if (missing_words_ == 0) words_.clear();
    std::optional<Status> found;
    while (!found) found = take_request();
    status_ = *found;
    if (status_ == Status::incomplete) release_if_idle();
    return status_;
}

std::optional<Status> RequestParser::take_request() {
    if (buffer_.empty()) return Status::incomplete;
    return buffer_.bytes().front() == '*' ? take_array() : take_line();
}

std::optional<Status> RequestParser::take_array() {
    if (missing_words_ > 0) return take_words();
    const std::string_view bytes = view(buffer_.bytes());
    const bool negative = bytes.substr(1).starts_with('-');
    const char* const digits = bytes.data() + (negative ? 2 : 1);
    const Number count =
        read_number(digits, bytes.data() + bytes.size(), negative ? 1 : limits_.max_arguments);
    if (count.scan == Scan::unfinished) return Status::incomplete;
    if (count.scan == Scan::too_large && !negative)
        return malformed("a request has at most " + std::to_string(limits_.max_arguments) + " words " +
                         setting("max-arguments"));
    if (count.scan == Scan::wrong && !negative)
        return malformed("expected '*'" + std::string(kNumberForm) + shown(*count.at));
    if (negative && (count.scan != Scan::complete || count.value != 1))
        return malformed("expected '*'" + std::string(kNumberForm) + "'-'");
    const auto header_bytes = static_cast<std::size_t>(count.at - bytes.data());
    if (negative || count.value == 0) {
        buffer_.consume(header_bytes);
        return std::nullopt;
    }
    missing_words_ = count.value;
    scanned_bytes_ = header_bytes;
    return take_words();
}

Status RequestParser::take_words() {
    const std::string_view bytes = view(buffer_.bytes());
    while (missing_words_ > 0)
        if (const std::optional<Status> stopped = take_word(bytes)) return *stopped;
    return finish(scanned_bytes_);
}

std::optional<Status> RequestParser::take_word(std::string_view bytes) {
    const char* const begin = bytes.data();
    const char* const at = begin + scanned_bytes_;
    const char* const end = begin + bytes.size();
    if (at == end) return Status::incomplete;
    if (*at != '$') return malformed("expected '$' and the length of " + next_word() + ", got " + shown(*at));
    const Number length = read_number(at + 1, end, limits_.max_bulk_bytes);
    if (length.scan == Scan::unfinished) return Status::incomplete;
    if (length.scan == Scan::too_large)
        return malformed(next_word() + " is over " + std::to_string(limits_.max_bulk_bytes) + " bytes " +
                         setting("max-bulk-bytes"));
    if (length.scan == Scan::wrong)
        return malformed("expected '$' for " + next_word() + std::string(kNumberForm) + shown(*length.at));

    const std::size_t word_end = static_cast<std::size_t>(length.at - begin) + length.value;
    if (word_end + kLineEnd.size() > limits_.max_pending_bytes)
        return malformed("the request is over " + std::to_string(limits_.max_pending_bytes) +
                         " bytes (max-pending-bytes)");
    if (word_end + kLineEnd.size() > bytes.size()) return Status::incomplete;
    if (bytes[word_end] != '\r' || bytes[word_end + 1] != '\n')
        return malformed("expected CR LF after the " + std::to_string(length.value) + " bytes of " +
                         next_word() + ", got " + shown(bytes[word_end]) + " " + shown(bytes[word_end + 1]));
    words_.emplace_back(length.at, length.value);
    scanned_bytes_ = word_end + kLineEnd.size();
    --missing_words_;
    return std::nullopt;
}

std::optional<Status> RequestParser::take_line() {
    const std::span<char> bytes = buffer_.bytes();
    if (view(bytes).starts_with(kTlsHello))
        return malformed(
            "this is a TLS handshake, but the port speaks plain TCP; turn TLS off in the client");
    const std::size_t max_bytes = std::min(limits_.max_inline_bytes, limits_.max_pending_bytes);
    const std::string_view window = view(bytes).substr(0, max_bytes + 1);
    const std::size_t newline = window.find('\n', scanned_bytes_);
    if (newline == std::string_view::npos) {
        scanned_bytes_ = window.size();
        if (window.size() <= max_bytes) return Status::incomplete;
        const char* const limit =
            max_bytes < limits_.max_inline_bytes ? "max-pending-bytes" : "max-inline-bytes";
        return malformed("the line is over " + std::to_string(max_bytes) + " bytes (" + limit + ")");
    }
    std::span<char> line = bytes.first(newline);
    if (!line.empty() && line.back() == '\r') line = line.first(line.size() - 1);
    if (view(line).contains('\0'))
        return malformed(
            "NUL byte in an inline command; send binary data as a RESP array, or as \\x00 in quotes");
    if (looks_like_http(view(line))) return Status::http;
    if (const auto split = split_inline(line, limits_.max_arguments, words_, setting("max-arguments"));
        !split)
        return malformed(split.error().message);
    const Status status = finish(newline + 1);
    return words_.empty() ? std::nullopt : std::optional(status);
}

// The request takes the first bytes of the buffer, and its words are in words_.
Status RequestParser::finish(std::size_t size_bytes) {
    buffer_.consume(size_bytes);
    scanned_bytes_ = 0;
    request_.words = words_;
    return Status::request;
}

Status RequestParser::malformed(std::string_view what) {
    error_ = {core::ErrorCode::err, "Protocol error: " + std::string(what)};
    return Status::malformed;
}

std::string RequestParser::setting(std::string_view name) const {
    return "(" + std::string(name) + (limits_.before_login ? "-before-login)" : ")");
}

std::string RequestParser::next_word() const {
    const std::size_t number = words_.size() + 1;
    return "word " + std::to_string(number) + " of " + std::to_string(words_.size() + missing_words_);
}

bool RequestParser::has_unfinished() const {
    if (status_ != Status::incomplete) return false;
    return missing_words_ > 0 || !has_no_words(view(buffer_.bytes()));
}

core::Error RequestParser::unfinished_error() const {
    const std::string missing = missing_words_ > 0 ? next_word() + " has not come whole" : "missing newline";
    return {core::ErrorCode::err, "incomplete command (" + missing + ")"};
}

std::size_t RequestParser::buffer_bytes() const {
    return buffer_.capacity() + words_.capacity() * sizeof(std::string_view);
}

void RequestParser::release_if_idle() {
    buffer_.release_if_idle();
    if (words_.empty() && words_.capacity() > kIdleWords) words_ = std::vector<std::string_view>();
}

void RequestParser::check_invariants() const {
    buffer_.check_invariants();
    core::verify(scanned_bytes_ <= buffer_.size(), "RequestParser: it has not scanned more than there is");
    core::verify(missing_words_ == 0 || request_.words.empty(),
                 "RequestParser: no request while one is under way");
    const std::string_view held = view(buffer_.bytes());
    if (missing_words_ == 0) return;
    for (const std::string_view word : words_)
        core::verify(word.data() >= held.data() && word.data() + word.size() <= held.data() + scanned_bytes_,
                     "RequestParser: the words of the array under way are within what was scanned");
}

}  // namespace evertick::protocol
