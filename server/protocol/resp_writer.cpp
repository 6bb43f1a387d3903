#include "server/protocol/resp_writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "core/number.hpp"
#include "core/verify.hpp"
#include "server/protocol/line_text.hpp"

namespace evertick::protocol {
namespace {

constexpr std::string_view kCrlf = "\r\n";

constexpr std::size_t kMostHeaderBytes = 24;  // type, sign, 20 digits, CR LF

// Appends up to `most` bytes, as write(at) puts them there; it returns their end.
template <class Write>
void append(std::string& out, std::size_t most, Write write) {
    const std::size_t before = out.size();
    out.resize_and_overwrite(before + most, [&](char* bytes, std::size_t) {
        return static_cast<std::size_t>(write(bytes + before) - bytes);
    });
}

char* put(char* at, std::string_view bytes) { return std::ranges::copy(bytes, at).out; }

// "<type><value>\r\n": every header, and an integer as a whole.
template <class Integer>
char* put_header(char* at, char type, Integer value) {
    *at = type;
    at = std::to_chars(at + 1, at + kMostHeaderBytes, value).ptr;
    return put(at, kCrlf);
}

}  // namespace

void RespWriter::begin(core::Tick, std::string_view) {
    start_ = out_.size();
    owed_ = 1;
}

void RespWriter::end() {
    core::verify(owed_ == 0, "RespWriter::end: the reply has fewer values than announced");
}

void RespWriter::begin_part() {
    core::verify(!part_, "RespWriter::begin_part: parts do not nest");
    count_value();
    part_ = Part{.start = out_.size(), .owed_then = owed_};
    owed_ = 1;
}

void RespWriter::end_part() {
    core::verify(part_ && owed_ == 0, "RespWriter::end_part: the part has fewer values than announced");
    owed_ = part_->owed_then;
    part_.reset();
}

void RespWriter::fail(const core::Error& error) {
    out_.resize(part_ ? part_->start : start_);
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
    append(out_, kMostHeaderBytes + bytes.size() + kCrlf.size(),
           [&](char* at) { return put(put(put_header(at, '$', bytes.size()), bytes), kCrlf); });
}

void RespWriter::verbatim(std::string_view text) {
    constexpr std::string_view kPlainText = "txt:";
    if (!resp3_) return this->text(text);
    count_value();
    header('=', kPlainText.size() + text.size());
    out_ += kPlainText;
    out_ += text;
    out_ += kCrlf;
}

void RespWriter::integer(std::int64_t value) {
    count_value();
    header(':', value);
}

template <class Real>
void RespWriter::real(Real value) {
    const core::NumberText number(value);
    if (!resp3_) return text(number.text());
    count_value();
    append(out_, kMostHeaderBytes + number.text().size(), [&](char* at) {
        *at = ',';
        return put(put(at + 1, number.text()), kCrlf);
    });
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
    text(core::NumberText(value).text());
}

// Its length is known only when it stands there.
void RespWriter::flags(const core::FlagValue& value) {
    count_value();
    const std::size_t start = out_.size();
    core::append_text(out_, value);
    std::array<char, kMostHeaderBytes> head;
    const char* const end = put_header(head.data(), '$', out_.size() - start);
    out_.insert(start, head.data(), static_cast<std::size_t>(end - head.data()));
    out_ += kCrlf;
}

void RespWriter::handle(core::Handle value) { text(core::HandleText(value).text()); }

void RespWriter::count_value() {
    core::verify(owed_ > 0, "RespWriter: more values than announced");
    --owed_;
}

void RespWriter::open(char type, std::size_t count, std::size_t children) {
    count_value();
    owed_ += children;
    header(type, count);
}

template <class Integer>
void RespWriter::header(char type, Integer value) {
    append(out_, kMostHeaderBytes, [&](char* at) { return put_header(at, type, value); });
}

}  // namespace evertick::protocol
