#include "server/protocol/inline_words.hpp"

#include <algorithm>
#include <string>

namespace evertick::protocol {
namespace {

// Space, TAB, VT, FF, CR (and LF, which no line has).
bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// The value of a hexadecimal digit, or -1.
int hex_value(char c) {
    if (is_digit(c)) return c - '0';
    const char letter = lower(c);
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

std::unexpected<core::Error> wrong(std::string message) {
    return core::failure(core::ErrorCode::err, std::move(message));
}

// Walks the line once. `in_` reads, `out_` writes what escapes stand for; a word never grows by unescaping,
// so that `out_` stays behind `in_`.
class Splitter {
  public:
    explicit Splitter(std::span<char> line)
        : begin_(line.data()), end_(line.data() + line.size()), in_(line.data()), out_(line.data()) {}

    core::Result<> run(std::size_t max_words, std::vector<std::string_view>& words,
                       std::string_view setting) {
        while (skip_blanks()) {
            if (words.size() == max_words)
                return wrong("a request has at most " + std::to_string(max_words) + " words " +
                             std::string(setting));
            char* const word = out_ = in_;
            if (auto taken = take_word(); !taken) return taken;
            words.emplace_back(word, static_cast<std::size_t>(out_ - word));
        }
        return {};
    }

  private:
    // False at the end of the line.
    bool skip_blanks() {
        while (in_ != end_ && is_blank(*in_)) ++in_;
        return in_ != end_;
    }

    core::Result<> take_word() {
        while (in_ != end_ && !is_blank(*in_)) {
            if (*in_ != '"' && *in_ != '\'') {
                *out_++ = *in_++;
                continue;
            }
            if (auto taken = take_quoted(*in_); !taken) return taken;
            if (in_ != end_ && !is_blank(*in_))
                return wrong("unbalanced quotes: after the closing quote at byte " + position(in_ - 1) +
                             " of the line comes a space or the end of the line");
        }
        return {};
    }

    core::Result<> take_quoted(char quote) {
        const char* const opening = in_++;  // where it was: an unescaped byte may stand there soon
        while (in_ != end_ && *in_ != quote) {
            if (*in_ == '\\' && quote == '"') {
                if (auto taken = take_escape(); !taken) return taken;
                continue;
            }
            if (*in_ == '\\' && end_ - in_ > 1 && in_[1] == quote) ++in_;  // the only escape in single quotes
            *out_++ = *in_++;
        }
        if (in_ == end_)
            return wrong("unbalanced quotes: the " + std::string(1, quote) + " at byte " + position(opening) +
                         " of the line is never closed");
        ++in_;
        return {};
    }

    core::Result<> take_escape() {
        constexpr std::string_view kLetters = "nrt\"\\";
        constexpr std::string_view kMeanings = "\n\r\t\"\\";
        const char* const escape = in_++;
        const std::size_t letter = in_ == end_ ? std::string_view::npos : kLetters.find(*in_);
        if (letter != std::string_view::npos) {
            *out_++ = kMeanings[letter];
            ++in_;
            return {};
        }
        if (end_ - in_ >= 3 && *in_ == 'x' && hex_value(in_[1]) >= 0 && hex_value(in_[2]) >= 0) {
            *out_++ = static_cast<char>(hex_value(in_[1]) * 16 + hex_value(in_[2]));
            in_ += 3;
            return {};
        }
        return wrong("unknown escape at byte " + position(escape) +
                     R"( of the line; within double quotes there are \n \r \t \" \\ \xHH)");
    }

    std::string position(const char* at) const { return std::to_string(at - begin_ + 1); }

    const char* begin_;
    const char* end_;
    char* in_;
    char* out_;
};

}  // namespace

core::Result<> split_inline(std::span<char> line, std::size_t max_words, std::vector<std::string_view>& words,
                            std::string_view setting) {
    if (has_no_words({line.data(), line.size()})) return {};
    return Splitter(line).run(max_words, words, setting);
}

bool has_no_words(std::string_view line) {
    const auto first = std::ranges::find_if_not(line, is_blank);
    return first == line.end() || *first == '#';
}

bool looks_like_http(std::string_view line) {
    constexpr std::string_view kHost = "host:";
    constexpr std::size_t kVersionBytes = std::string_view(" HTTP/1.1").size();
    if (std::ranges::equal(line.substr(0, kHost.size()), kHost, {}, lower)) return true;
    if (line.size() <= kVersionBytes) return false;
    const std::string_view version = line.substr(line.size() - kVersionBytes);
    return version.starts_with(" HTTP/") && is_digit(version[6]) && version[7] == '.' && is_digit(version[8]);
}

}  // namespace evertick::protocol
