#include "tests/fuzz/reply_check.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/verify.hpp"

namespace evertick::fuzz {
namespace {

using core::verify;
using protocol::Encoding;

constexpr std::size_t kMaxDepth = 16;

bool is_control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
}

// Reads values off the front of the bytes.
class RespReader {
  public:
    RespReader(std::string_view bytes, bool resp3) : rest_(bytes), resp3_(resp3) {}

    bool at_end() const { return rest_.empty(); }

    void read_value(std::size_t depth = 0) {
        verify(!rest_.empty(), "a reply is whole");
        verify(depth < kMaxDepth, "a reply is not nested without end");
        const char type = take(1)[0];
        constexpr std::string_view kResp2 = "+-:$*";
        verify(resp3_ || kResp2.contains(type), "RESP2 has five types");
        switch (type) {
            case '+':
            case '-': verify(!line().empty(), "a simple string says something"); break;
            case ':': number<std::int64_t>(line()); break;
            case '$': read_bulk(); break;
            case '*':
                if (const auto count = length(); count > 0) read_values(count, depth);
                break;
            default: read_resp3(type, depth);
        }
    }

  private:
    void read_resp3(char type, std::size_t depth) {
        switch (type) {
            case '_': verify(line().empty(), "null has no value"); break;
            case '#': {
                const std::string_view word = line();
                verify(word == "t" || word == "f", "a boolean is t or f");
                break;
            }
            case ',': verify(std::isfinite(number<double>(line())), "a number is finite"); break;
            case '=': verify(bulk(count(line())).starts_with("txt:"), "a verbatim string is text"); break;
            case '%': read_values(2 * count(line()), depth); break;
            case '~': read_values(count(line()), depth); break;
            case '>': {
                const std::size_t values = count(line());
                verify(depth == 0 && values > 0, "a push says something, and stands alone");
                read_values(values, depth);
                break;
            }
            default: verify(false, "a reply has a known type");
        }
    }

    void read_values(std::size_t count, std::size_t depth) {
        for (; count > 0; --count) read_value(depth + 1);
    }

    void read_bulk() {
        const std::string_view header = line();
        if (header == "-1") return verify(!resp3_, "RESP3 has a null of its own");
        bulk(count(header));
    }

    // Of an array: RESP2 has null arrays, too.
    std::size_t length() {
        const std::string_view header = line();
        if (header != "-1") return count(header);
        verify(!resp3_, "RESP3 has a null of its own");
        return 0;
    }

    std::string_view bulk(std::size_t size_bytes) {
        const std::string_view value = take(size_bytes);
        verify(take(2) == "\r\n", "a bulk string ends where it says");
        return value;
    }

    // To the next CR LF, which is taken too.
    std::string_view line() {
        const std::size_t end = rest_.find("\r\n");
        verify(end != std::string_view::npos, "a line ends");
        const std::string_view value = take(end);
        verify(std::ranges::none_of(value, is_control), "a line has no control bytes");
        take(2);
        return value;
    }

    std::string_view take(std::size_t size_bytes) {
        verify(size_bytes <= rest_.size(), "a reply is whole");
        const std::string_view taken = rest_.substr(0, size_bytes);
        rest_.remove_prefix(size_bytes);
        return taken;
    }

    template <class T>
    static T number(std::string_view text) {
        T value{};
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        verify(error == std::errc() && end == text.data() + text.size(), "a number is one");
        return value;
    }

    static std::size_t count(std::string_view text) {
        const bool plain = !text.empty() && (text == "0" || text[0] != '0');
        verify(plain && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; }),
               "a length is plain digits");
        return number<std::size_t>(text);
    }

    std::string_view rest_;
    bool resp3_;
};

std::size_t check_json_lines(std::string_view bytes) {
    verify(bytes.empty() || bytes.back() == '\n', "a line of JSON ends");
    std::size_t lines = 0;
    for (; !bytes.empty(); ++lines) {
        const std::string_view line = bytes.substr(0, bytes.find('\n'));
        verify(line.starts_with('{') && nlohmann::json::accept(line), "a line is a JSON object");
        verify(!line.contains('\r'), "a line is one line");
        bytes.remove_prefix(line.size() + 1);
    }
    return lines;
}

}  // namespace

std::size_t check_values(std::string_view bytes, Encoding encoding) {
    if (encoding == Encoding::json) return check_json_lines(bytes);
    RespReader reader(bytes, encoding == Encoding::resp3);
    std::size_t values = 0;
    for (; !reader.at_end(); ++values) reader.read_value();
    return values;
}

bool is_error(std::string_view reply, Encoding encoding) {
    return reply.starts_with(encoding == Encoding::json ? "{\"ok\":false," : "-");
}

}  // namespace evertick::fuzz
