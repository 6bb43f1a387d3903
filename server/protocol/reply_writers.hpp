#pragma once
// The writers of one reply, made on the stack: pick the one for the client's encoding.
//
//     ReplyWriters writers(out);
//     ReplyWriter& reply = writers.get(client.encoding());
//
// cost: a few stores; no allocation

#include <string>

#include "server/protocol/json_writer.hpp"
#include "server/protocol/reply_writer.hpp"
#include "server/protocol/resp_writer.hpp"

namespace evertick::protocol {

class ReplyWriters {
  public:
    // Appends to out, which must outlive this.
    explicit ReplyWriters(std::string& out) : resp_(out), json_(out) {}

    ReplyWriter& get(Encoding encoding) {
        if (encoding == Encoding::json) return json_;
        resp_.use_resp(encoding == Encoding::resp3 ? 3 : 2);
        return resp_;
    }

  private:
    RespWriter resp_;
    JsonWriter json_;
};

}  // namespace evertick::protocol
