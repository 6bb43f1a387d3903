#pragma once
// Replies in RESP2 or RESP3.
// source: github.com/redis/redis-specifications, protocol/RESP2.md and RESP3.md

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "server/protocol/reply_writer.hpp"

namespace evertick::protocol {

class RespWriter final : public ReplyWriter {
  public:
    explicit RespWriter(std::string& out) : out_(out) {}

    void begin(core::Tick tick, std::string_view tag) override;
    void end() override;
    void begin_part() override;
    void end_part() override;
    void cancel_part() override { part_.reset(); }
    void fail(const core::Error& error) override;
    void use_resp(std::uint8_t version) override;
    std::size_t size_bytes() const override { return out_.size() - start_; }

    void status(std::string_view word) override;
    void text(std::string_view bytes) override;
    void verbatim(std::string_view text) override;
    void integer(std::int64_t value) override;
    void number(float value) override { real(value); }
    void number(double value) override { real(value); }
    void boolean(bool value) override;
    void null() override;
    void array(std::size_t count) override;
    void map(std::size_t count) override;
    void key(std::string_view name) override { text(name); }
    void push(std::size_t count) override;

  protected:
    void unsigned_integer(std::uint64_t value) override;
    void flags(const core::FlagValue& value) override;
    void handle(core::Handle value) override;

  private:
    struct Part {
        std::size_t start;      // where it begins in out_
        std::size_t owed_then;  // values to come after it
    };

    void count_value();
    void open(char type, std::size_t count, std::size_t children);
    template <class Integer>
    void header(char type, Integer value);
    template <class Real>
    void real(Real value);

    std::string& out_;
    std::size_t start_ = 0;  // where the reply begins in out_
    std::size_t owed_ = 0;   // values still to come until the reply, or the part of it, is whole
    std::optional<Part> part_;
    bool resp3_ = false;
};

}  // namespace evertick::protocol
