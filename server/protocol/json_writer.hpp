#pragma once
// Replies as JSON lines: each is one object on one line that ends in LF, valid whatever the values are.
//
//     {"ok":true,"tick":9001,"req":"tag","result":{"x":1.5}}
//     {"ok":false,"tick":9001,"code":"NOENT","error":"no entity 3:1: it was destroyed"}
//
// Numbers are the shortest text that reads back; handles are strings, since a JSON reader may hold numbers
// as doubles and lose what is over 2^53. A hand-written stream: the writer must close containers by their
// announced counts anyway, and appends runs where a library's writer puts single characters.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "server/protocol/reply_writer.hpp"

namespace evertick::protocol {

class JsonWriter final : public ReplyWriter {
  public:
    // Containers within each other; more is our mistake (verified).
    static constexpr std::size_t kMaxDepth = 16;

    explicit JsonWriter(std::string& out) : out_(out) {}

    void begin(core::Tick tick, std::string_view tag) override;
    void end() override;
    void begin_part() override;
    void end_part() override;
    void cancel_part() override { base_ = 0; }
    void fail(const core::Error& error) override;
    void use_resp(std::uint8_t) override {}
    std::size_t size_bytes() const override { return out_.size() - start_; }

    void status(std::string_view word) override { text(word); }
    void text(std::string_view bytes) override;
    void verbatim(std::string_view text) override { this->text(text); }
    void integer(std::int64_t value) override;
    void number(float value) override;
    void number(double value) override;
    void boolean(bool value) override;
    void null() override;
    void array(std::size_t count) override { open('[', ']', count); }
    void map(std::size_t count) override { open('{', '}', count); }
    void key(std::string_view name) override;
    void push(std::size_t count) override { array(count); }

  protected:
    void unsigned_integer(std::uint64_t value) override;
    void flags(const core::FlagValue& value) override;
    void handle(core::Handle value) override;

  private:
    // A container under way, or the reply or part itself, which holds one value.
    struct Level {
        std::size_t missing;  // values, or pairs of a map
        char closing;         // ']', '}'; of the reply or part itself '\0'
        bool is_first;        // nothing in it yet
        bool has_key;         // a map whose key() was written and whose value comes next
    };

    void open_envelope(bool ok);
    void before_value();
    void after_value();
    void open(char opening, char closing, std::size_t count);
    template <class Number>
    void digits(Number value);

    std::string& out_;
    std::size_t start_ = 0;  // where the reply begins in out_
    core::Tick tick_ = 0;
    std::string_view tag_;
    std::size_t depth_ = 0;       // levels_[depth_] is the innermost
    std::size_t base_ = 0;        // levels_[base_] is the reply, or the part under way
    std::size_t part_start_ = 0;  // where the part begins in out_
    std::array<Level, kMaxDepth + 1> levels_;
};

}  // namespace evertick::protocol
