#include "server/protocol/json_writer.hpp"

#include <bit>

#include "core/number.hpp"
#include "core/verify.hpp"
#include "server/protocol/json_text.hpp"
#include "server/protocol/line_text.hpp"

namespace evertick::protocol {

void JsonWriter::begin(core::Tick tick, std::string_view tag) {
    start_ = out_.size();
    tick_ = tick;
    tag_ = tag;
    depth_ = base_ = 0;
    levels_[0] = {.missing = 1, .closing = '\0', .is_first = true, .has_key = false};
    open_envelope(true);
    out_ += ",\"result\":";
}

void JsonWriter::end() {
    core::verify(depth_ == 0 && levels_[0].missing == 0,
                 "JsonWriter::end: the reply has fewer values than announced");
    out_ += "}\n";
}

void JsonWriter::begin_part() {
    core::verify(base_ == 0, "JsonWriter::begin_part: parts do not nest");
    before_value();
    core::verify(depth_ < kMaxDepth, "JsonWriter: containers are nested too deep");
    levels_[++depth_] = {.missing = 1, .closing = '\0', .is_first = true, .has_key = false};
    base_ = depth_;
    part_start_ = out_.size();
}

void JsonWriter::end_part() {
    core::verify(base_ > 0 && depth_ == base_ && levels_[base_].missing == 0,
                 "JsonWriter::end_part: the part has fewer values than announced");
    --depth_;
    base_ = 0;
    after_value();
}

void JsonWriter::fail(const core::Error& error) {
    const bool is_part = base_ > 0;
    out_.resize(is_part ? part_start_ : start_);
    if (is_part)
        out_ += '{';
    else
        open_envelope(false);
    out_ += is_part ? "\"code\":\"" : ",\"code\":\"";
    out_ += core::name(error.code);
    out_ += "\",\"error\":";
    std::string line;
    append_line_text(line, error.message);
    append_json_string(out_, line);
    if (is_part) out_ += '}';
    depth_ = base_;
    levels_[base_].missing = 0;
}

void JsonWriter::open_envelope(bool ok) {
    out_ += ok ? "{\"ok\":true,\"tick\":" : "{\"ok\":false,\"tick\":";
    core::append_number(out_, tick_);
    if (tag_.empty()) return;
    out_ += ",\"req\":";
    append_json_string(out_, tag_);
}

void JsonWriter::text(std::string_view bytes) {
    before_value();
    append_json_string(out_, bytes);
    after_value();
}

template <class Number>
void JsonWriter::digits(Number value) {
    before_value();
    core::append_number(out_, value);
    after_value();
}

void JsonWriter::integer(std::int64_t value) { digits(value); }
void JsonWriter::number(float value) { digits(value); }
void JsonWriter::number(double value) { digits(value); }
void JsonWriter::unsigned_integer(std::uint64_t value) { digits(value); }

void JsonWriter::boolean(bool value) {
    before_value();
    out_ += value ? "true" : "false";
    after_value();
}

void JsonWriter::null() {
    before_value();
    out_ += "null";
    after_value();
}

void JsonWriter::flags(const core::FlagValue& value) {
    const std::uint64_t named = (std::uint64_t{1} << value.words.size()) - 1;  // at most 32 of them
    const std::uint64_t bits = value.bits & named;
    array(static_cast<std::size_t>(std::popcount(bits)));
    for (std::size_t bit = 0; bit < value.words.size(); ++bit)
        if ((bits >> bit & 1U) != 0) text(value.words[bit]);
}

void JsonWriter::handle(core::Handle value) {
    before_value();
    out_ += '"';
    core::append_handle(out_, value);
    out_ += '"';
    after_value();
}

void JsonWriter::key(std::string_view name) {
    Level& level = levels_[depth_];
    core::verify(level.closing == '}' && !level.has_key, "JsonWriter::key belongs before a value of a map");
    if (!level.is_first) out_ += ',';
    append_json_string(out_, name);
    out_ += ':';
    level.is_first = false;
    level.has_key = true;
}

void JsonWriter::before_value() {
    Level& level = levels_[depth_];
    core::verify(level.missing > 0, "JsonWriter: more values than announced");
    core::verify(level.has_key == (level.closing == '}'), "JsonWriter: a value of a map comes after its key");
    if (level.closing == ']' && !level.is_first) out_ += ',';
    level.is_first = false;
}

// A value that was the last of its container closes it, and with it perhaps the one around.
void JsonWriter::after_value() {
    for (;;) {
        Level& level = levels_[depth_];
        level.has_key = false;
        --level.missing;
        if (level.missing > 0 || depth_ == base_) return;
        out_ += level.closing;
        --depth_;
    }
}

void JsonWriter::open(char opening, char closing, std::size_t count) {
    before_value();
    out_ += opening;
    if (count == 0) {
        out_ += closing;
        return after_value();
    }
    core::verify(depth_ < kMaxDepth, "JsonWriter: containers are nested too deep");
    levels_[++depth_] = {.missing = count, .closing = closing, .is_first = true, .has_key = false};
}

}  // namespace evertick::protocol
