#include "server/protocol/resp_writer.hpp"

#include <array>
#include <charconv>
#include <utility>

#include "core/number.hpp"
#include "core/verify.hpp"
#include "server/protocol/line_text.hpp"

namespace evertick::protocol {
namespace {

constexpr std::string_view kCrlf = "\r\n";

// "<type><value>\r\n": every header, and an integer as a whole.
class Header {
  public:
    template <class Integer>
    Header(char type, Integer value) {
        bytes_[0] = type;
        end_ = std::to_chars(bytes_.data() + 1, bytes_.data() + bytes_.size(), value).ptr;
        *end_++ = '\r';
        *end_++ = '\n';
    }
    Header(const Header&) = delete;
    Header& operator=(const Header&) = delete;

    std::string_view text() const { return {bytes_.data(), end_}; }

  private:
    std::array<char, 24> bytes_;  // type, sign, 20 digits, CR LF
    char* end_;
};

}  // namespace

void RespWriter::begin(core::Tick, std::string_view) {
    start_ = out_.size();
    owed_ = 1;
}

void RespWriter::end() {
    core::verify(owed_ == 0, "RespWriter::end: the reply has fewer values than announced");
}

void RespWriter::fail(const core::Error& error) {
    out_.resize(start_);
    owed_ = 0;
    out_ += '-';
    out_ += core::name(error.code);
    out_ += ' ';
    append_line_text(out_, error.message);
    out_ += kCrlf;
}

void RespWriter::use_resp(std::uint8_t version) {
    core::verify(version == 2 || version == 3, "RespWriter::use_resp: version is 2 or 3");
    core::verify(out_.size() == start_ || owed_ == 0, "RespWriter::use_resp comes before the first value");
    resp3_ = version == 3;
}

void RespWriter::status(std::string_view word) {
    count_value();
    out_ += '+';
    append_line_text(out_, word);
    out_ += kCrlf;
}

void RespWriter::text(std::string_view bytes) {
    count_value();
    out_ += Header('$', bytes.size()).text();
    out_ += bytes;
    out_ += kCrlf;
}

void RespWriter::verbatim(std::string_view text) {
    constexpr std::string_view kPlainText = "txt:";
    if (!resp3_) return this->text(text);
    count_value();
    out_ += Header('=', kPlainText.size() + text.size()).text();
    out_ += kPlainText;
    out_ += text;
    out_ += kCrlf;
}

void RespWriter::integer(std::int64_t value) {
    count_value();
    out_ += Header(':', value).text();
}

template <class Real>
void RespWriter::real(Real value) {
    count_value();
    if (resp3_) out_ += ',';
    const std::size_t start = out_.size();
    core::append_number(out_, value);
    if (resp3_)
        out_ += kCrlf;
    else
        make_bulk(start);
}

void RespWriter::boolean(bool value) {
    if (!resp3_) return integer(value ? 1 : 0);
    count_value();
    out_ += value ? "#t\r\n" : "#f\r\n";
}

void RespWriter::null() {
    count_value();
    out_ += resp3_ ? "_\r\n" : "$-1\r\n";
}

void RespWriter::array(std::size_t count) { open('*', count, count); }

void RespWriter::map(std::size_t count) {
    if (resp3_)
        open('%', count, 2 * count);
    else
        array(2 * count);
}

void RespWriter::push(std::size_t count) { open(resp3_ ? '>' : '*', count, count); }

void RespWriter::unsigned_integer(std::uint64_t value) {
    if (std::in_range<std::int64_t>(value)) return integer(static_cast<std::int64_t>(value));
    count_value();
    const std::size_t start = out_.size();
    core::append_number(out_, value);
    make_bulk(start);
}

void RespWriter::flags(const core::FlagValue& value) {
    count_value();
    const std::size_t start = out_.size();
    core::append_text(out_, value);
    make_bulk(start);
}

void RespWriter::handle(core::Handle value) {
    count_value();
    const std::size_t start = out_.size();
    core::append_handle(out_, value);
    make_bulk(start);
}

void RespWriter::count_value() {
    core::verify(owed_ > 0, "RespWriter: more values than announced");
    --owed_;
}

void RespWriter::open(char type, std::size_t count, std::size_t children) {
    count_value();
    owed_ += children;
    out_ += Header(type, count).text();
}

// What was appended since `start` becomes a bulk string: its length is known only now.
void RespWriter::make_bulk(std::size_t start) {
    const std::size_t size_bytes = out_.size() - start;
    out_.insert(start, Header('$', size_bytes).text());
    out_ += kCrlf;
}

}  // namespace evertick::protocol
