#include "server/protocol/reply_writer.hpp"

#include <variant>

namespace evertick::protocol {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};

}  // namespace

void ReplyWriter::value(const core::FieldValue& value) {
    std::visit(Overloaded{[&](bool v) { boolean(v); }, [&](std::int64_t v) { integer(v); },
                          [&](std::uint64_t v) { unsigned_integer(v); }, [&](float v) { number(v); },
                          [&](double v) { number(v); }, [&](const core::WordValue& v) { text(v.text()); },
                          [&](const core::FlagValue& v) { flags(v); }, [&](core::Handle v) { handle(v); },
                          [&](std::string_view v) { text(v); }},
               value);
}

}  // namespace evertick::protocol
